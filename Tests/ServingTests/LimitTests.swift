import Core
import Glibc
import Serving
import TestSupport
import Testing

@Suite("What a client may have, and for how long")
struct LimitTests {
    @Test("Connections beyond the limit are told so and closed, and let in again when others have gone", arguments: [true, false])
    func connections(isPerClient: Bool) async throws {
        var configuration = HTTPServer.Configuration()
        configuration.workers = 2
        if isPerClient { configuration.connectionsPerClient = 3 } else { configuration.connectionLimit = 3 }
        try await HTTPServer.withServer(configuration) { _ in
            .text("in")
        } _: { server in
            let address = server.addresses[0]
            let statuses = try await onDedicatedThread {
                let clients = (0..<3).map { _ in WireClient(address) }
                let first = clients.map { $0.get("/").status }
                let refused = WireClient(address)
                let answer = refused.answer()
                return (first, answer.status, answer.header("Retry-After"), refused.isEnded, clients.map { $0.get("/").status })
            }
            #expect(statuses.0 == [200, 200, 200])
            #expect(statuses.1 == 503)
            #expect(statuses.2 == "1")
            #expect(statuses.3)
            #expect(statuses.4 == [200, 200, 200])
            // The three are closed by now, but the workers may not have seen it yet.
            while server.statistics.open > 0 { try await Task.sleep(for: .milliseconds(5)) }
            let status = try await server.onWire { $0.get("/").status }
            #expect(status == 200)
            #expect(server.statistics.accepted == 4)
            #expect(server.statistics.refused == 1)
        }
    }

    @Test(
        "A client that trickles its request is ended, wherever it is in it",
        arguments: [
            "GE", "GET / HTTP/1.1\r\nHos", "GET / HTTP/1.1\r\nHost: a\r\nX-Long: ",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n",
        ])
    func trickling(beginning: String) async throws {
        var configuration = HTTPServer.Configuration()
        configuration.requestSeconds = 1
        try await HTTPServer.withServer(configuration) { _ in
            .text("")
        } _: { server in
            let received = try await server.onWire { client in
                client.send(beginning)
                // Never inactive for long, so only a limit on the whole ends it. A send fails once the end has come back as a reset.
                for _ in 0..<2_000 where client.send("x") { usleep(10_000) }
                return client.rest()
            }
            #expect(received.isEmpty)
            #expect(server.statistics.open == 0)
        }
    }

    @Test("An idle connection is ended, before its first request and after one")
    func idle() async throws {
        var configuration = HTTPServer.Configuration()
        configuration.idleSeconds = 1
        configuration.requestSeconds = 1
        try await HTTPServer.withServer(configuration) { _ in
            .text("")
        } _: { server in
            let ends = try await server.onWire { client in
                let status = client.get("/").status
                return status == 200 && client.isEnded
            }
            #expect(ends)
            let endsAtOnce = try await server.onWire { $0.isEnded }
            #expect(endsAtOnce)
        }
    }

    @Test("A client that does not read its answer is ended, and others are served meanwhile", arguments: ["/bytes", "/file"])
    func notReading(path: String) async throws {
        try await withTestFile { file, _ in
            var configuration = HTTPServer.Configuration()
            configuration.answerSeconds = 1
            configuration.minimumBytesPerSecond = 100_000_000
            // More than the system takes off the server's hands.
            let large = SharedBytes([UInt8](repeating: 1, count: 20_000_000))
            let ended = Mutex<[Bool]>([])
            try await HTTPServer.withServer(configuration) { request in
                switch request.path {
                case "/bytes": .now(ServerResponse(body: large))
                // Requests one after another, so that there is always another answer to send.
                case "/file": .now(ServerResponse(file: file))
                default: .text("quick")
                }
            } afterResponse: { served in
                if served.request.path != "/quick" { ended.withLock { $0.append(served.isComplete) } }
            } _: { server in
                let address = server.addresses[0]
                let isReset = try await onDedicatedThread {
                    let client = WireClient(address, receiveBuffer: 4_096)
                    for _ in 0..<40 { client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n") }
                    var quick = 0
                    while ended.withLock({ !$0.contains(false) }) {
                        quick += WireClient(address).get("/quick").status == 200 ? 1 : 1_000_000
                        usleep(20_000)
                    }
                    _ = client.rest()
                    return client.wasReset && quick < 1_000_000
                }
                #expect(isReset)
            }
        }
    }

    @Test("A thousand idle connections hold up nobody")
    func manyIdle() async throws {
        var configuration = HTTPServer.Configuration()
        configuration.workers = 2
        configuration.connectionLimit = 1_100
        try await HTTPServer.withServer(configuration) { _ in
            .text("served")
        } _: { server in
            let address = server.addresses[0]
            let texts = try await onDedicatedThread {
                var limit = rlimit()
                getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
                let idle = (0..<min(1_000, Int(limit.rlim_cur) / 4)).map { _ in WireClient(address) }
                return withExtendedLifetime(idle) { (0..<100).map { _ in WireClient(address).get("/").text } }
            }
            #expect(texts.allSatisfy { $0 == "served" })
        }
    }
}
