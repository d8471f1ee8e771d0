import Core
import Glibc
import Serving
import TestSupport
import Testing

@Suite("Stopping, and what is told afterwards")
struct StopTests {
    @Test("A server that stops refuses newcomers, finishes the answers under way, and ends idle connections at once")
    func drains() async throws {
        var configuration = HTTPServer.Configuration()
        configuration.workers = 2
        configuration.drainSeconds = 20
        let (opened, open) = AsyncStream<Void>.makeStream()
        let (started, start) = AsyncStream<Void>.makeStream()
        let bound = Mutex<ListenAddress?>(nil)
        var clients: [Task<String, any Error>] = []
        var idle: Task<Bool, any Error>?
        // Stopped by being cancelled, as a program is by a signal: what is under way must not feel it.
        let server = Task { [configuration] in
            try await HTTPServer.withServer(configuration) { request in
                if request.path == "/idle" { return .text("") }
                start.yield()
                return .later {
                    // Each waits for its own turn, and the stream is only finished once the server no longer listens.
                    while !Task.isCancelled, (bound.withLock { $0 }) != nil { try? await Task.sleep(for: .milliseconds(5)) }
                    return .text(Task.isCancelled ? "cancelled" : "finished")
                }
            } _: { server in
                bound.withLock { $0 = server.addresses[0] }
                open.finish()
                try await Task.sleep(for: .seconds(600))
            }
        }
        for await _ in opened {}
        let address = try #require(bound.withLock { $0 })
        let (idles, idling) = AsyncStream<Void>.makeStream()
        idle = Task {
            try await onAddress(address) { client in
                let status = client.get("/idle").status
                idling.finish()
                return status == 200 && client.isEnded
            }
        }
        for await _ in idles {}
        for number in 0..<4 { clients.append(Task { try await onAddress(address) { $0.get("/\(number)").text } }) }
        var iterator = started.makeAsyncIterator()
        for _ in 0..<4 { await iterator.next() }
        server.cancel()
        let endsIdle = try await idle?.value
        #expect(endsIdle == true)
        // Refused, not left waiting in a queue that nobody empties.
        var isRefused = false
        while !isRefused {
            isRefused = try await onAddress(address) { client in
                var error: Int32 = 0
                var size = socklen_t(MemoryLayout<Int32>.size)
                var peer = sockaddr_storage()
                var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
                getsockopt(client.descriptor, SOL_SOCKET, SO_ERROR, &error, &size)
                return withUnsafeMutableBytes(of: &peer) {
                    getpeername(client.descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, &length) != 0
                }
            }
        }
        bound.withLock { $0 = nil }
        for client in clients {
            let text = try await client.value
            #expect(text == "finished")
        }
        await #expect(throws: CancellationError.self) { try await server.value }
    }

    @Test("Answers that are not finished in time are cancelled, and the server stops nevertheless")
    func drainIsBounded() async throws {
        var configuration = HTTPServer.Configuration()
        configuration.drainSeconds = 1
        let (started, start) = AsyncStream<Void>.makeStream()
        var client: Task<Int, any Error>?
        try await HTTPServer.withServer(configuration) { _ in
            start.finish()
            return .later {
                try? await Task.sleep(for: .seconds(600))
                return .text("cancelled")
            }
        } _: { server in
            client = Task { try await server.onWire { $0.get("/").status } }
            for await _ in started {}
        }
        let status = try #require(try await client?.value)
        #expect([0, 200].contains(status))
    }

    @Test("The hook is told of every request once: answered, later, refused, broken off")
    func hook() async throws {
        struct Told: Equatable {
            var method: String
            var target: String
            var status: Int
            var bytes: Int
            var note: String?
            var agent: String?
        }
        var configuration = HTTPServer.Configuration()
        configuration.methods = ["GET", "HEAD"]
        configuration.maximumTargetBytes = 100
        let told = Mutex<[Told]>([])
        let long = "/" + String(repeating: "x", count: 200)
        try await HTTPServer.withServer(configuration) { request in
            request.setNote("hit")
            switch request.path {
            case "/later": return .later { .text("later") }
            case "/raw": return .raw { connection in _ = await connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx") }
            default: return .text("hello")
            }
        } afterResponse: { served in
            #expect(served.duration > .zero)
            #expect(served.request.client.description == "127.0.0.1")
            #expect(served.isComplete == !["/raw", "/nohost"].contains(served.request.path))
            told.withLock {
                $0.append(
                    Told(
                        method: served.request.method, target: served.request.target, status: served.status, bytes: served.bytes,
                        note: served.request.note, agent: served.request.header("User-Agent")))
            }
        } _: { server in
            _ = try await server.onWire { client in
                _ = client.get("/now?x=1", headers: ["User-Agent: me"])
                _ = client.get("/now", method: "HEAD")
                _ = client.get("/later", headers: ["User-Agent: me"])
                _ = client.get("/", method: "DELETE")
                return client.get(long).status
            }
            _ = try await server.onWire { client in
                client.send("GET /fold HTTP/1.1\r\nHost: a\r\nX: y\r\n z\r\n\r\n")
                return client.answer().status
            }
            _ = try await server.onWire { client in
                client.send("GET /nohost HTTP/1.1\r\nX: y\r\n\r\n")
                return client.answer().status
            }
            _ = try await server.onWire { client in client.get("/raw").status }
        }
        #expect(
            told.withLock { $0 } == [
                Told(method: "GET", target: "/now?x=1", status: 200, bytes: 5, note: "hit", agent: "me"),
                Told(method: "HEAD", target: "/now", status: 200, bytes: 0, note: "hit", agent: nil),
                Told(method: "GET", target: "/later", status: 200, bytes: 5, note: "hit", agent: "me"),
                Told(method: "DELETE", target: "/", status: 405, bytes: 33, note: nil, agent: nil),
                Told(method: "GET", target: long, status: 414, bytes: 44, note: nil, agent: nil),
                Told(method: "GET", target: "/fold", status: 400, bytes: 27, note: nil, agent: nil),
                // Refused by the library, before its method could be known.
                Told(method: "", target: "/nohost", status: 400, bytes: 0, note: nil, agent: nil),
                Told(method: "GET", target: "/raw", status: 0, bytes: 0, note: "hit", agent: nil),
            ])
    }

    @Test("Many clients of every kind at once, on several workers, while the server stops: nothing is lost, mixed up or raced for")
    func stress() async throws {
        try await withTestFile { file, bytes in
            for round in 0..<4 {
                var configuration = HTTPServer.Configuration()
                configuration.workers = 3
                configuration.drainSeconds = round % 2 * 20
                let prepared = PreparedResponse(ServerResponse(headers: [("ETag", "\"x\"")], file: file))
                let count = Mutex(0)
                let mistakes = Mistakes()
                let clients = try await HTTPServer.withServer(configuration) { request in
                    switch request.path {
                    case "/prepared": return prepared.answering(request)
                    case "/now": return .text(request.header("X-Number") ?? "none")
                    default:
                        return .later {
                            await Task.yield()
                            request.setNote("late")
                            return .text(request.header("x-number") ?? "none")
                        }
                    }
                } afterResponse: { _ in
                    count.withLock { $0 += 1 }
                } _: { server in
                    let clients = (0..<12).map { Self.client($0, of: server, fileBytes: bytes.count, mistakes) }
                    while count.withLock({ $0 }) < 300 { try await Task.sleep(for: .milliseconds(1)) }
                    return clients
                }
                for client in clients { try await client.value }
                #expect(mistakes.list.withLock { $0 } == [])
            }
        }
    }

    private final class Mistakes: Sendable {
        let list = Mutex<[String]>([])
    }

    private static func client(_ number: Int, of server: HTTPServer, fileBytes: Int, _ mistakes: Mistakes) -> Task<Void, any Error> {
        Task {
            try await server.onWire { client in
                for turn in 0..<200 {
                    let path = ["/prepared", "/now", "/later"][(turn + number) % 3]
                    let answer = client.get(path, headers: ["X-Number: \(number)"])
                    // The server has stopped.
                    guard answer.status != 0 else { break }
                    let isRight = path == "/prepared" ? answer.body.count <= fileBytes : answer.text == "\(number)"
                    if answer.status != 200 || !isRight { mistakes.list.withLock { $0.append("\(path) \(answer.status) \(answer.text)") } }
                }
            }
        }
    }
}
