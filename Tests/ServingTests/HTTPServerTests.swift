import Core
import Glibc
import Serving
import TestSupport
import Testing

@Suite("The HTTP server")
struct HTTPServerTests {
    @Test("Method, path, query, headers and body reach the handler, percent encoding undone once")
    func request() async throws {
        let seen = Mutex<ServerRequest?>(nil)
        let headers = Mutex<[String?]>([])
        try await HTTPServer.withServer { request in
            seen.withLock { $0 = request }
            headers.withLock { $0 = [request.header("x-test"), request.header("X-Missing"), request.headers.last?.value] }
            return .text("made", status: 201, headers: [("X-A", "b")])
        } _: { server in
            let answer = try await server.onWire {
                $0.get(
                    "/a%20b/%252e?x=1&y=%C3%A9+e&z", method: "POST", headers: ["X-Test: yes"],
                    body: String(repeating: "body ", count: 20_000))
            }
            #expect(answer.status == 201)
            #expect(answer.header("x-a") == "b")
            #expect(answer.header("Content-Length") == "4")
            #expect(answer.text == "made")
            let request = try #require(seen.withLock { $0 })
            #expect(request.method == "POST")
            #expect(request.path == "/a b/%2e")
            #expect(request.target == "/a%20b/%252e?x=1&y=%C3%A9+e&z")
            #expect(request.query.map(\.name) == ["x", "y", "z"])
            #expect(request.queryValue("y") == "é e")
            #expect(request.queryValue("z") == "")
            #expect(request.client.description == "127.0.0.1")
            #expect(request.listener == 0)
            #expect(request.body.count == 100_000)
            #expect(headers.withLock { $0 } == ["yes", nil, "100000"])
            // Kept beyond its time, a request has no headers, and touches nothing that is gone.
            #expect(request.header("x-test") == nil)
            #expect(request.headers.isEmpty)
        }
    }

    @Test("One connection carries one request after another, also when they come at once")
    func keepAlive() async throws {
        try await HTTPServer.withServer {
            .text($0.path)
        } _: { server in
            let paths = try await server.onWire { client in
                client.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
                let early = [client.answer().text, client.answer().text]
                return early + (3..<200).map { client.get("/\($0)").text }
            }
            #expect(paths == (1..<200).map { "/\($0)" })
            #expect(server.statistics.accepted == 1)
        }
    }

    @Test(
        "Bytes, a whole file and a part of one are sent over TCP and through a socket file, and HEAD gets all but the body",
        arguments: ["/bytes", "/file", "/part"], [0, 1])
    func bodies(path: String, listener: Int) async throws {
        try await withTemporaryDirectory { directory in
            var configuration = HTTPServer.Configuration()
            configuration.listen.append(.unix(path: directory + "/socket"))
            try await withTestFile { file, bytes in
                let whole = PreparedResponse(ServerResponse(headers: [("Content-Type", "image/jpeg")], file: file))
                try await HTTPServer.withServer(configuration) { request in
                    switch request.path {
                    case "/bytes": .now(ServerResponse(headers: [("Content-Type", "image/jpeg")], body: SharedBytes(bytes)))
                    case "/file": .prepared(whole)
                    default:
                        .now(ServerResponse(headers: [("Content-Type", "image/jpeg")], body: .file(file, offset: 1_000, count: 50_000)))
                    }
                } _: { server in
                    try await onAddress(server.addresses[listener]) { client in
                        let expected = path == "/part" ? Array(bytes[1_000..<51_000]) : bytes
                        for _ in 0..<3 {
                            #expect(client.get(path).body == expected)
                            let head = client.get(path, method: "HEAD")
                            #expect(head.status == 200)
                            #expect(head.header("Content-Length") == "\(expected.count)")
                            #expect(head.header("Content-Type") == "image/jpeg")
                        }
                    }
                }
            }
        }
    }

    @Test("A body that is too large is refused, whether it comes or is only announced")
    func largeBody() async throws {
        var configuration = HTTPServer.Configuration()
        configuration.maximumBodyBytes = 1_000
        try await HTTPServer.withServer(configuration) {
            .text("\($0.body.count)")
        } _: { server in
            try await server.onWire { client in
                #expect(client.get("/", method: "POST", body: String(repeating: "x", count: 1_000)).text == "1000")
                #expect(client.get("/", method: "POST", body: String(repeating: "x", count: 1_001)).status == 413)
                #expect(client.get("/", method: "POST", body: String(repeating: "x", count: 500_000)).status == 413)
                // Its end was read, so the connection is still good.
                #expect(client.get("/").status == 200)
                client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000000\r\n\r\n")
                #expect(client.answer().status == 413)
                #expect(client.isEnded)
            }
        }
    }

    @Test("An answer that comes later holds up nobody else, and its task can still read the header")
    func later() async throws {
        let (opened, open) = AsyncStream<Void>.makeStream()
        try await HTTPServer.withServer { request in
            guard request.path == "/slow" else {
                open.finish()
                return .now(ServerResponse(status: 204))
            }
            return .later {
                for await _ in opened {}
                return .text("at last, \(request.header("X-Name") ?? "?")")
            }
        } _: { server in
            async let slow = server.onWire { $0.get("/slow", headers: ["X-Name: you"]) }
            // Until this one is answered the slow one waits; were it held up, both would for ever.
            let quick = try await server.onWire { $0.get("/quick") }
            #expect(quick.status == 204)
            let answer = try await slow
            #expect(answer.text == "at last, you")
        }
    }

    @Test("A server stops while a request waits and another is being dripped to")
    func stopsWhileBusy() async throws {
        let (started, start) = AsyncStream<Void>.makeStream()
        var waiting: Task<Int, any Error>?
        try await HTTPServer.withServer { request in
            start.yield()
            if request.path == "/raw" { return .raw { connection in while await connection.send("drip") {} } }
            return .later {
                try? await Task.sleep(for: .seconds(600))
                return .now(ServerResponse())
            }
        } _: { server in
            waiting = Task { try await server.onWire { $0.get("/later").status } }
            _ = try await server.onWire { client in
                client.send("GET /raw HTTP/1.1\r\nHost: a\r\n\r\n")
                var buffer = [UInt8](repeating: 0, count: 4)
                return recv(client.descriptor, &buffer, 4, 0)
            }
            var iterator = started.makeAsyncIterator()
            _ = await iterator.next()
            _ = await iterator.next()
        }
        // Cancelled, the sleeper answers early; whether that still goes out is a matter of luck. That it ends at all is not.
        let status = try #require(try await waiting?.value)
        #expect([0, 200].contains(status))
    }

    @Test("Methods that are not allowed are answered with 405 and the list of those that are, and the connection goes on")
    func methods() async throws {
        var configuration = HTTPServer.Configuration()
        configuration.methods = ["GET", "HEAD"]
        try await HTTPServer.withServer(configuration) {
            .text($0.method)
        } _: { server in
            try await server.onWire { client in
                let answer = client.get("/", method: "DELETE")
                #expect(answer.status == 405)
                #expect(answer.header("Allow") == "GET, HEAD")
                #expect(client.get("/").text == "GET")
                #expect(client.get("/", method: "POST", body: "x").status == 405)
                #expect(client.isEnded)
            }
        }
    }

    @Test("Nothing that a handler puts into a header can end its line")
    func headerInjection() async throws {
        try await HTTPServer.withServer { request in
            .text("", headers: [("X-Echo", request.queryValue("x") ?? ""), ("X-\r\nName", "1"), ("X-Last", "é")])
        } _: { server in
            try await server.onWire { client in
                let answer = client.get("/?x=a%0d%0aSet-Cookie:%20evil%0d%0a%0d%0abody%7f")
                #expect(answer.header("X-Echo") == "a%0D%0ASet-Cookie: evil%0D%0A%0D%0Abody%7F")
                #expect(answer.header("Set-Cookie") == nil)
                #expect(answer.header("X-Last") == "%C3%A9")
                #expect(answer.text.isEmpty)
                #expect(client.get("/").status == 200)
            }
        }
    }
}
