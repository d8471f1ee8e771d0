import Core
import Glibc
import Serving
import TestSupport

/// A connection whose every byte the test decides and sees. Blocks the thread that uses it, so tests do so within ``onAddress(_:_:)``.
final class WireClient {
    struct Answer: Sendable {
        /// 0 if no status line came.
        var status = 0
        var head = ""
        var body: [UInt8] = []

        func header(_ name: String) -> String? {
            for line in head.split(separator: "\r\n").dropFirst() {
                let parts = line.split(separator: ":", maxSplits: 1)
                if parts[0].lowercased() == name.lowercased() { return String(parts.last!.drop { $0 == " " }) }
            }
            return nil
        }

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    let descriptor: Int32
    private var pending: [UInt8] = []
    /// Whether the last read found the connection reset.
    private(set) var wasReset = false

    init(_ address: ListenAddress, receiveBuffer: Int32? = nil) {
        switch address {
        case .tcp(let host, let port):
            let isIPv6 = host.contains(":")
            descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            // Must be set before connecting to have an effect on the window.
            if var size = receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size)) }
            if isIPv6 {
                var remote = sockaddr_in6()
                remote.sin6_family = sa_family_t(AF_INET6)
                remote.sin6_port = UInt16(port).bigEndian
                inet_pton(AF_INET6, host, &remote.sin6_addr)
                connect(&remote)
            } else {
                var remote = sockaddr_in()
                remote.sin_family = sa_family_t(AF_INET)
                remote.sin_port = UInt16(port).bigEndian
                inet_pton(AF_INET, host, &remote.sin_addr)
                connect(&remote)
            }
        case .unix(let path):
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var remote = sockaddr_un()
            remote.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &remote.sun_path) { $0.copyBytes(from: path.utf8) }
            connect(&remote)
        }
        // So that a server that never answers fails a test instead of hanging it.
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
    }

    private func connect<Remote>(_ remote: inout Remote) {
        withUnsafeBytes(of: &remote) {
            _ = Glibc.connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
        }
    }

    /// Whether all of it was taken.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } == bytes.count
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Says that no more will be sent.
    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// The next answer; its body goes by its Content-Length.
    func answer(toHead isHead: Bool = false) -> Answer {
        var answer = Answer()
        while pending.firstRange(of: Array("\r\n\r\n".utf8)) == nil { guard read() else { return answer } }
        let end = pending.firstRange(of: Array("\r\n\r\n".utf8))!
        answer.head = String(decoding: pending[..<end.lowerBound], as: UTF8.self)
        answer.status = Int(answer.head.split(separator: " ")[1]) ?? 0
        pending.removeFirst(end.upperBound)
        let count = isHead || answer.status == 304 ? 0 : answer.header("Content-Length").flatMap { Int($0) } ?? 0
        while pending.count < count { guard read() else { return answer } }
        answer.body = Array(pending[..<count])
        pending.removeFirst(count)
        return answer
    }

    /// Sends a whole request and gives its answer.
    func get(_ target: String, method: String = "GET", headers: [String] = [], body: String = "") -> Answer {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
        for header in headers { text += header + "\r\n" }
        if !body.isEmpty { text += "Content-Length: \(body.utf8.count)\r\n" }
        send(text + "\r\n" + body)
        return answer(toHead: method == "HEAD")
    }

    /// Everything until the server ends the connection.
    func rest() -> String {
        while read() {}
        defer { pending = [] }
        return String(decoding: pending, as: UTF8.self)
    }

    /// Whether the server has ended the connection without sending more.
    var isEnded: Bool { !read() }

    /// False at the connection's end.
    private func read() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0 { wasReset = errno == ECONNRESET }
        guard count > 0 else { return false }
        pending += buffer[..<count]
        return true
    }
}

/// Runs `body` with a connection of its own, on a thread of its own.
func onAddress<Value: Sendable>(_ address: ListenAddress, _ body: @escaping @Sendable (WireClient) throws -> Value) async throws -> Value {
    try await onDedicatedThread { try body(WireClient(address)) }
}

extension HTTPServer {
    func onWire<Value: Sendable>(_ body: @escaping @Sendable (WireClient) throws -> Value) async throws -> Value {
        try await onAddress(addresses[0], body)
    }
}

extension ServerAnswer {
    static func text(_ text: String, status: Int = 200, headers: [(name: String, value: String)] = []) -> ServerAnswer {
        .now(ServerResponse(status: status, headers: headers, body: SharedBytes(Array(text.utf8))))
    }
}
