internal import CLinux
internal import Core
internal import Glibc

/// A server on a loopback port of its own, whose every byte the test decides: for answers that no honest server gives.
///
/// Each connection is a thread that runs the test's script.
package final class ScriptedServer: Sendable {
    private struct State {
        var descriptors: Set<Int32> = []
        var threads: [DedicatedThread] = []
        var accepted = 0
        var mostAtOnce = 0
        var requests: [Request] = []
        var isClosed = false
    }

    package struct Request: Sendable {
        /// `GET /path HTTP/1.1`
        package let line: String
        /// The header's lines as they came.
        package let headers: [String]

        package var path: String { line.split(separator: " ").dropFirst().first.map(String.init) ?? "" }

        package func header(_ name: String) -> String? {
            let prefix = name.lowercased() + ":"
            guard let line = headers.first(where: { $0.lowercased().hasPrefix(prefix) }) else { return nil }
            return String(line.dropFirst(prefix.count).drop { $0 == " " })
        }
    }

    package let port: Int
    private let listener: Int32
    private let script: @Sendable (Connection) -> Void
    private let state = Mutex(State())

    private init(script: @escaping @Sendable (Connection) -> Void) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = self.listener
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 512) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw TestSupportError("cannot listen: errno \(errno)") }
        port = Int(UInt16(bigEndian: address.sin_port))
        self.script = script
    }

    /// Runs `body` with a server that runs `script` for every connection, on a thread each; closes all when `body` ends.
    package static func withServer<Value>(
        connection script: @escaping @Sendable (Connection) -> Void, _ body: (ScriptedServer) async throws -> Value
    ) async throws -> Value {
        let server = try ScriptedServer(script: script)
        server.spawn { server.accept() }
        do {
            let value = try await body(server)
            try await onDedicatedThread { server.close() }
            return value
        } catch {
            try await onDedicatedThread { server.close() }
            throw error
        }
    }

    /// Runs `body` with a server that calls `answer` for every request; the connection is kept while it returns true.
    package static func withServer<Value>(
        answer: @escaping @Sendable (Request, Connection) -> Bool, _ body: (ScriptedServer) async throws -> Value
    ) async throws -> Value {
        try await withServer(connection: { connection in
            while let request = connection.readRequest(), answer(request, connection) {}
        }) { try await body($0) }
    }

    package var url: String { "http://127.0.0.1:\(port)" }
    package var connectionsAccepted: Int { state.withLock(\.accepted) }
    package var mostConnectionsAtOnce: Int { state.withLock(\.mostAtOnce) }
    package var openConnections: Int { state.withLock(\.descriptors.count) }
    package var requests: [Request] { state.withLock(\.requests) }

    // MARK: - Private

    private func spawn(_ body: @escaping @Sendable () -> Void) {
        let thread = DedicatedThread(body)
        state.withLock { $0.threads.append(thread) }
    }

    private func accept() {
        while true {
            let descriptor = accept4(listener, nil, nil, Int32(SOCK_CLOEXEC.rawValue))
            guard descriptor >= 0 else { return }
            let isOpen = state.withLock { state in
                guard !state.isClosed else { return false }
                state.accepted += 1
                state.descriptors.insert(descriptor)
                state.mostAtOnce = max(state.mostAtOnce, state.descriptors.count)
                return true
            }
            guard isOpen else {
                Glibc.close(descriptor)
                return
            }
            spawn { [self] in
                script(Connection(descriptor: descriptor, server: self))
                finish(descriptor)
            }
        }
    }

    private func finish(_ descriptor: Int32) {
        state.withLock { _ = $0.descriptors.remove(descriptor) }
        Glibc.close(descriptor)
    }

    private func close() {
        state.withLock { state in
            state.isClosed = true
            for descriptor in state.descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
        shutdown(listener, Int32(SHUT_RDWR))
        while let thread = state.withLock({ $0.threads.popLast() }) { thread.join() }
        Glibc.close(listener)
    }

    fileprivate func note(_ request: Request) {
        state.withLock { $0.requests.append(request) }
    }

    /// One accepted connection, used by its own thread.
    package final class Connection {
        private let descriptor: Int32
        private let server: ScriptedServer
        private var pending: [UInt8] = []

        fileprivate init(descriptor: Int32, server: ScriptedServer) {
            self.descriptor = descriptor
            self.server = server
        }

        /// The next request's header; nil when the client has gone.
        package func readRequest() -> Request? {
            while true {
                if let end = pending.indices.first(where: { pending[$0...].starts(with: [13, 10, 13, 10]) }) {
                    let text = String(decoding: pending[..<end], as: UTF8.self)
                    pending.removeFirst(end + 4)
                    let lines = text.split(separator: "\r\n").map(String.init)
                    let request = Request(line: lines.first ?? "", headers: Array(lines.dropFirst()))
                    server.note(request)
                    return request
                }
                guard let bytes = read() else { return nil }
                pending += bytes
            }
        }

        /// Whether all of it was taken; false when the client has gone.
        @discardableResult
        package func send(_ bytes: [UInt8]) -> Bool {
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }

        @discardableResult
        package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

        /// A whole answer with the body's true length.
        @discardableResult
        package func send(status: String = "200 OK", headers: [String] = [], body: [UInt8]) -> Bool {
            let lines = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)"] + headers
            return send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
        }

        /// Ends the connection with a TCP reset.
        package func reset() {
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        }

        /// Returns once the client has closed its side (or the test has ended).
        package func waitForClose() {
            while read() != nil {}
        }

        private func read() -> [UInt8]? {
            var buffer = [UInt8](repeating: 0, count: 16_384)
            let count = recv(descriptor, &buffer, buffer.count, 0)
            return count > 0 ? Array(buffer[..<count]) : nil
        }
    }
}
