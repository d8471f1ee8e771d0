internal import Glibc

/// A TCP socket that listens, made before the server is so that what is wrong with an address can be said exactly.
struct ListeningSocket: ~Copyable {
    private let descriptor: Int32
    let isIPv6: Bool

    /// - Parameters:
    ///   - host: an IPv4 or IPv6 address, not a name.
    ///   - port: 0 for any that is free.
    init(host: String, port: Int) throws(HTTPServerError) {
        (descriptor, isIPv6) = try Self.open(host: host, port: port)
    }

    deinit {
        close(descriptor)
    }

    /// The bound port, also when 0 was asked for.
    var port: Int {
        // The port stands at the same place in both kinds of address.
        var bound = sockaddr_in6()
        var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
        withUnsafeMutableBytes(of: &bound) { _ = getsockname(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, &size) }
        return Int(UInt16(bigEndian: bound.sin6_port))
    }

    /// Hands the descriptor over; whoever takes it closes it.
    consuming func release() -> Int32 {
        let descriptor = descriptor
        discard self
        return descriptor
    }

    // MARK: - Private

    private static func open(host: String, port: Int) throws(HTTPServerError) -> (descriptor: Int32, isIPv6: Bool) {
        guard let port = UInt16(exactly: port) else {
            throw HTTPServerError(code: .badAddress, description: "\(port) is not a port; give 0 to 65535")
        }
        var address4 = sockaddr_in()
        address4.sin_family = sa_family_t(AF_INET)
        address4.sin_port = port.bigEndian
        if inet_pton(AF_INET, host, &address4.sin_addr) == 1 {
            return (try listen(AF_INET, &address4, at: "\(host):\(port)"), false)
        }
        var address6 = sockaddr_in6()
        address6.sin6_family = sa_family_t(AF_INET6)
        address6.sin6_port = port.bigEndian
        if inet_pton(AF_INET6, host, &address6.sin6_addr) == 1 {
            return (try listen(AF_INET6, &address6, at: "[\(host)]:\(port)"), true)
        }
        throw HTTPServerError(code: .badAddress, description: "cannot listen on “\(host)”: give an IP address, such as 127.0.0.1")
    }

    private static func listen<Address>(_ family: Int32, _ address: inout Address, at place: String) throws(HTTPServerError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw failure(at: place) }
        // A server that was just stopped must be able to start again on its port.
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let bound = withUnsafeBytes(of: &address) {
            bind(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
        }
        guard bound == 0, Glibc.listen(descriptor, 512) == 0 else {
            let failure = failure(at: place)
            close(descriptor)
            throw failure
        }
        return descriptor
    }

    private static func failure(at place: String) -> HTTPServerError {
        let number = errno
        if number == EADDRINUSE {
            return HTTPServerError(
                code: .portInUse,
                description: "cannot listen on \(place): another program does; choose another port, or 0 for any that is free")
        }
        return HTTPServerError(code: .system, description: "cannot listen on \(place): \(String(cString: strerror(number)))")
    }
}
