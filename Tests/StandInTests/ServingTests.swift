import Core
import Serving
import Testing

@Suite("The HTTP server")
struct ServingTests {
    @Test("Method, path, query, headers and body reach the handler, percent encoding undone once")
    func request() async throws {
        let seen = Mutex<ServerRequest?>(nil)
        try await HTTPServer.withServer { request in
            seen.withLock { $0 = request }
            return .now(ServerResponse(status: 201, headers: [("X-A", "b")], body: SharedBytes(Array("made".utf8))))
        } _: { server in
            let answer = await RawClient(server.url).send(
                "POST", "/a%20b/%252e?x=1&y=%C3%A9&z", headers: ["X-Test: yes"], body: String(repeating: "body ", count: 20_000))
            #expect(answer.status == 201)
            #expect(answer.header("x-a") == "b")
            #expect(answer.header("Content-Length") == "4")
            #expect(answer.text == "made")
            let request = try #require(seen.withLock { $0 })
            #expect(request.method == "POST")
            #expect(request.path == "/a b/%2e")
            #expect(request.target == "/a%20b/%252e?x=1&y=%C3%A9&z")
            #expect(request.queryValue("y") == "é")
            #expect(request.queryValue("z") == "")
            #expect(request.header("x-test") == "yes")
            #expect(request.body.count == 100_000)
            #expect(request.port == server.port)
        }
    }

    @Test("One connection carries one request after another")
    func keepAlive() async throws {
        try await HTTPServer.withServer { _ in
            .now(ServerResponse(body: SharedBytes(Array("hello".utf8))))
        } _: { server in
            let request = "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            let (received, _) = await RawClient(server.url).exchange(request)
            let text = String(decoding: received, as: UTF8.self)
            #expect(text.split(separator: "HTTP/1.1 200 OK").count == 2)
            #expect(text.split(separator: "hello").count == 2)
        }
    }

    @Test("A body that is too large is refused")
    func largeBody() async throws {
        var configuration = HTTPServer.Configuration()
        configuration.maximumBodyBytes = 1_000
        try await HTTPServer.withServer(configuration) { _ in
            .now(ServerResponse())
        } _: { server in
            let client = RawClient(server.url)
            #expect(await client.send("POST", "/", body: String(repeating: "x", count: 1_001)).status == 413)
            #expect(await client.send("POST", "/", body: String(repeating: "x", count: 1_000)).status == 200)
        }
    }

    @Test("An answer that comes later holds up nobody else")
    func later() async throws {
        let (opened, open) = AsyncStream<Void>.makeStream()
        try await HTTPServer.withServer { request in
            guard request.path == "/slow" else {
                open.finish()
                return .now(ServerResponse(status: 204))
            }
            return .later {
                for await _ in opened {}
                return .now(ServerResponse(body: SharedBytes(Array("at last".utf8))))
            }
        } _: { server in
            let client = RawClient(server.url)
            async let slow = client.get("/slow")
            // Until this one is answered the slow one waits; were it held up, both would for ever.
            #expect(await client.get("/quick").status == 204)
            #expect(await slow.text == "at last")
        }
    }

    @Test("A server stops while a request waits and another is being dripped to")
    func stopsWhileBusy() async throws {
        let (started, start) = AsyncStream<Void>.makeStream()
        var waiting: Task<RawClient.Answer, Never>?
        try await HTTPServer.withServer { request in
            start.yield()
            if request.path == "/raw" { return .raw { connection in while await connection.send("drip") {} } }
            return .later {
                try? await Task.sleep(for: .seconds(600))
                return .now(ServerResponse())
            }
        } _: { server in
            let client = RawClient(server.url)
            waiting = Task { await client.get("/later") }
            _ = await client.get("/raw", upTo: 100_000)
            var iterator = started.makeAsyncIterator()
            _ = await iterator.next()
            _ = await iterator.next()
        }
        // Cancelled, the sleeper answers early; whether that still goes out is a matter of luck. That it ends at all is not.
        #expect([0, 200].contains(await waiting?.value.status))
    }

    @Test("A port that is taken, a name instead of an address, and a port out of range are refused, each with its reason")
    func refusals() async throws {
        try await HTTPServer.withServer { _ in
            .now(ServerResponse())
        } _: { server in
            var configuration = HTTPServer.Configuration()
            configuration.port = server.port
            await #expect { try await HTTPServer.withServer(configuration, handler: { _ in .now(ServerResponse()) }) { _ in } } throws: {
                ($0 as? HTTPServerError)?.code == .portInUse && "\($0)".contains("\(server.port)")
            }
        }
        for (host, port) in [("localhost", 0), ("127.0.0.1", 70_000), ("", 0)] {
            var configuration = HTTPServer.Configuration()
            (configuration.host, configuration.port) = (host, port)
            await #expect { try await HTTPServer.withServer(configuration, handler: { _ in .now(ServerResponse()) }) { _ in } } throws: {
                ($0 as? HTTPServerError)?.code == .badAddress
            }
        }
    }

    @Test("It listens on IPv6 too")
    func ipv6() async throws {
        var configuration = HTTPServer.Configuration()
        configuration.host = "::1"
        try await HTTPServer.withServer(configuration, handler: { _ in .now(ServerResponse()) }) { server in
            #expect(server.url == "http://[::1]:\(server.port)")
            #expect(server.port > 0)
        }
    }
}
