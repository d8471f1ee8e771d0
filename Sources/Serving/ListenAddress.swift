internal import Glibc

/// Where a server listens: `127.0.0.1:8080`, `[::1]:8080` or `unix:/run/posterity.sock`.
package enum ListenAddress: Sendable, Hashable {
    /// - Parameters:
    ///   - host: an IPv4 or IPv6 address, not a name.
    ///   - port: 0 for any that is free.
    case tcp(host: String, port: Int)
    /// A socket file; who may connect is decided by its directory's permissions.
    case unix(path: String)

    /// - Throws: `HTTPServerError` (`badAddress`) that says what is wrong with the text and how it is to look.
    package init(_ text: String) throws(HTTPServerError) {
        if text.hasPrefix("unix:") {
            self = .unix(path: String(text.dropFirst(5)))
        } else {
            guard let colon = text.lastIndex(of: ":") else { throw Self.error(text, "it has no port") }
            guard let port = Self.port(text[text.index(after: colon)...]) else {
                throw Self.error(text, "its port is not a number from 0 to 65535")
            }
            var host = text[..<colon]
            if host.hasPrefix("["), host.hasSuffix("]") {
                host = host.dropFirst().dropLast()
                guard host.contains(":") else { throw Self.error(text, "only an IPv6 address stands in brackets") }
            } else if host.contains(":") {
                throw Self.error(text, "an IPv6 address stands in brackets")
            }
            self = .tcp(host: String(host), port: port)
        }
        try check()
    }

    /// Whether only this machine can reach it.
    package var isLoopback: Bool {
        switch self {
        case .unix: return true
        case .tcp(let host, _):
            var address4 = in_addr()
            if inet_pton(AF_INET, host, &address4) == 1 { return UInt32(bigEndian: address4.s_addr) >> 24 == 127 }
            var address6 = in6_addr()
            guard inet_pton(AF_INET6, host, &address6) == 1 else { return false }
            let bytes = withUnsafeBytes(of: &address6) { Array($0) }
            return bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] == 1
                || bytes[..<10].allSatisfy { $0 == 0 } && bytes[10...12] == [0xFF, 0xFF, 127]
        }
    }

    /// Nil for a socket file.
    package var port: Int? {
        if case .tcp(_, let port) = self { port } else { nil }
    }

    /// `http://127.0.0.1:8080`, without a slash at the end; for a socket file there is no such thing, and its description is given.
    package var url: String {
        if case .tcp = self { "http://\(self)" } else { description }
    }

    /// - Throws: `HTTPServerError` (`badAddress`).
    func check() throws(HTTPServerError) {
        switch self {
        case .tcp(let host, let port):
            guard (0...65_535).contains(port) else { throw Self.error(description, "its port is not a number from 0 to 65535") }
            var address = in6_addr()
            guard inet_pton(AF_INET, host, &address) == 1 || inet_pton(AF_INET6, host, &address) == 1 else {
                throw Self.error(description, "“\(host)” is not an IP address")
            }
        case .unix(let path):
            guard !path.isEmpty else { throw Self.error(description, "it has no path") }
            guard path.utf8.count <= Self.maximumPathBytes else {
                throw Self.error(description, "the path of a socket has at most \(Self.maximumPathBytes) bytes")
            }
            guard !path.utf8.contains(0) else { throw Self.error(description, "its path has a zero byte") }
        }
    }

    // MARK: - Private

    private static let maximumPathBytes = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    private static func port(_ text: Substring) -> Int? {
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }), let port = Int(text), port <= 65_535
        else {
            return nil
        }
        return port
    }

    private static func error(_ text: String, _ reason: String) -> HTTPServerError {
        HTTPServerError(
            code: .badAddress,
            description:
                "cannot listen on “\(text)”: \(reason); give an address such as 127.0.0.1:8080, [::1]:8080 or unix:/run/posterity.sock")
    }
}

extension ListenAddress: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tcp(let host, let port): host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}
