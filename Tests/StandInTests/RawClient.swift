internal import Core
internal import Glibc

/// A client that sends exactly what it is told, and keeps exactly what came back, until the connection ends.
struct RawClient {
    struct Answer: Sendable {
        /// 0 if no status line came.
        var status = 0
        var headers: [(name: String, value: String)] = []
        var body: [UInt8] = []
        /// Whether the connection was reset instead of ended.
        var wasReset = false
        /// Whether the client stopped reading because it had seen enough.
        var wasCutOff = false

        func header(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    let port: Int

    init(_ url: String) {
        port = Int(url.split(separator: ":")[2].prefix { $0.isNumber })!
    }

    func get(_ target: String, headers: [String] = [], upTo limit: Int = 20_000_000) async -> Answer {
        await send("GET", target, headers: headers, upTo: limit)
    }

    func send(_ method: String, _ target: String, headers: [String] = [], body: String = "", upTo limit: Int = 20_000_000) async -> Answer {
        var request = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        for header in headers { request += header + "\r\n" }
        if !body.isEmpty { request += "Content-Length: \(body.utf8.count)\r\n" }
        let bytes = await exchange(request + "\r\n" + body, limit: limit)
        return Self.parse(bytes.received, wasReset: bytes.wasReset, wasCutOff: bytes.received.count >= limit)
    }

    /// Sends `text`, and reads until the other side ends the connection or `limit` bytes are there.
    func exchange(_ text: String, limit: Int = 20_000_000) async -> (received: [UInt8], wasReset: Bool) {
        let port = port
        return await WorkerThreads.withThreads(1, named: "client") { threads in
            await threads.run { Self.exchange(Array(text.utf8), port: port, limit: limit) }
        }
    }

    private static func exchange(_ request: [UInt8], port: Int, limit: Int) -> (received: [UInt8], wasReset: Bool) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        // So that a server that never ends fails a test instead of hanging it.
        var patience = timeval(tv_sec: 300, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let connected = withUnsafeBytes(of: &address) {
            connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
        }
        guard connected == 0 else { return ([], true) }
        _ = request.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while received.count < limit {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0 { return (received, errno == ECONNRESET) }
            if count == 0 { break }
            received += buffer[..<count]
        }
        return (received, false)
    }

    private static func parse(_ bytes: [UInt8], wasReset: Bool, wasCutOff: Bool) -> Answer {
        var answer = Answer()
        answer.wasReset = wasReset
        answer.wasCutOff = wasCutOff
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return answer }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        answer.status = lines.first.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            answer.headers.append((String(parts[0]), parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""))
        }
        answer.body = Array(bytes[end.upperBound...])
        return answer
    }
}
