import CLinux
import Core
import FoundationEssentials
import Glibc
import TestSupport

/// Serves a folder on a loopback port as a strict host would: with a Content-Security-Policy that allows a site nothing but its own files.
final class SiteServer: Sendable {
    struct Exchange: Sendable, Equatable {
        let path: String
        let status: Int
    }

    static let policy =
        "default-src 'none'; img-src 'self' data:; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

    let port: UInt16
    private let folder: String
    private let listener: Int32
    private let exchangesSoFar = Mutex<[Exchange]>([])

    var origin: String { "http://127.0.0.1:\(port)" }
    var exchanges: [Exchange] { exchangesSoFar.withLock { $0 } }

    static func withServer<Value>(of folder: String, _ body: (SiteServer) async throws -> Value) async throws -> Value {
        let server = try SiteServer(folder: folder)
        // One thread takes connections, the rest answer: a browser opens up to six.
        return try await WorkerThreads.withThreads(1, named: "test-accept") { acceptor in
            try await WorkerThreads.withThreads(6, named: "test-answer") { answerers in
                async let accepting: Void = server.accept(on: acceptor, answeringOn: answerers)
                defer { shutdown(server.listener, Int32(SHUT_RDWR)) }
                let value = try await body(server)
                shutdown(server.listener, Int32(SHUT_RDWR))
                await accepting
                return value
            }
        }
    }

    // MARK: - Private

    private init(folder: String) throws {
        self.folder = folder
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, length) == 0 && listen(listener, 64) == 0 && getsockname(listener, generic, &length) == 0
            }
        }
        guard isBound else { throw TestSupportError("cannot listen on the loopback: errno \(errno)") }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        close(listener)
    }

    private func accept(on acceptor: WorkerThreads, answeringOn answerers: WorkerThreads) async {
        await withTaskGroup(of: Void.self) { group in
            while true {
                let connection = await acceptor.run { accept4(self.listener, nil, nil, Int32(SOCK_CLOEXEC.rawValue)) }
                guard connection >= 0 else { break }
                group.addTask { await answerers.run { self.answer(connection) } }
            }
        }
    }

    private func answer(_ connection: Int32) {
        defer { close(connection) }
        var wait = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        var request: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while !String(decoding: request, as: UTF8.self).contains("\r\n\r\n") {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            request += buffer.prefix(count)
        }
        let parts = String(decoding: request, as: UTF8.self).split(separator: " ", maxSplits: 2)
        guard parts.count == 3 else { return }
        let target = String(parts[1])
        let path = Self.decoded(target.hasSuffix("/") ? target + "index.html" : target)
        let content = path.contains("..") ? nil : FileManager.default.contents(atPath: folder + path)
        exchangesSoFar.withLock { $0.append(Exchange(path: target, status: content == nil ? 404 : 200)) }
        let head = """
            HTTP/1.1 \(content == nil ? "404 Not Found" : "200 OK")\r
            Content-Type: \(Self.mediaType(of: path))\r
            Content-Length: \(content?.count ?? 0)\r
            Content-Security-Policy: \(Self.policy)\r
            X-Content-Type-Options: nosniff\r
            Connection: close\r
            \r

            """
        let answer = Array(head.utf8) + Array(content ?? Data())
        var offset = 0
        while offset < answer.count {
            let sent = answer.withUnsafeBytes { send(connection, $0.baseAddress! + offset, $0.count - offset, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { return }
            offset += sent
        }
    }

    static func decoded(_ path: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(path.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func mediaType(of path: String) -> String {
        let types = [
            "html": "text/html; charset=utf-8", "css": "text/css", "png": "image/png", "webp": "image/webp", "jpg": "image/jpeg",
            "svg": "image/svg+xml", "xml": "application/atom+xml", "json": "application/json", "txt": "text/plain",
        ]
        return types[path.split(separator: ".").last.map(String.init) ?? ""] ?? "application/octet-stream"
    }
}
