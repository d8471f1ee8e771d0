import Core
import TestSupport
import Testing
import Transfer

/// What the client does with honest servers.
@Suite("HTTP client")
struct HTTPClientTests {
    @Test("A response has its status, its header fields whatever their case, and its body")
    func plainResponse() async throws {
        try await withClient(answer: { request, connection in
            connection.send(status: "404 Not Found", headers: ["X-One: 1", "x-one:  2 ", "ETag: \"é\""], body: Array(request.path.utf8))
        }) { client, server in
            let response = try await client.send(request(server.url + "/some/where?x=1"))
            #expect(response.status == 404)
            #expect(response.headers["X-ONE"] == "1, 2")
            #expect(response.headers["etag"] == "\"é\"")
            #expect(response.headers["absent"] == nil)
            #expect(String(decoding: response.body, as: UTF8.self) == "/some/where?x=1")
            #expect(response.protocolVersion == "HTTP/1.1")
        }
    }

    @Test("Requests of one host share its connections, and never open more than the cap")
    func connectionCap() async throws {
        var configuration = HTTPClient.Configuration()
        configuration.connectionsPerHost = 3
        try await withClient(configuration, answer: { _, connection in connection.send(body: Array(repeating: 7, count: 2_000)) }) {
            client, server in
            let url = server.url
            try await forEachBounded(0..<60, limit: 20) { _ in
                let response = try await client.send(request(url))
                #expect(response.body.count == 2_000)
            }
            #expect(server.connectionsAccepted <= 3)
            #expect(client.statistics.requests == 60)
            #expect(client.statistics.connectionsOpened == server.connectionsAccepted)
            #expect(client.statistics.bytesReceived == 120_000)
        }
    }

    @Test("Cancelling a task ends its transfer and closes the connection at the server")
    func cancellation() async throws {
        let (closed, hasClosed) = AsyncStream<Void>.makeStream()
        let (asked, hasAsked) = AsyncStream<Void>.makeStream()
        try await ScriptedServer.withServer(connection: { connection in
            _ = connection.readRequest()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nbeginning")
            hasAsked.yield()
            connection.waitForClose()
            hasClosed.yield()
        }) { server in
            try await HTTPClient.withClient(log: .silent) { client in
                let url = server.url
                let task = Task { try await client.send(request(url)) }
                for await _ in asked { break }
                task.cancel()
                let error = await #expect(throws: TransferError.self) { try await task.value }
                #expect(error?.isCancellation == true)
                for await _ in closed { break }
            }
        }
    }

    @Test("A line break in a header or in the key is refused before anything is sent, and the key not shown")
    func headerInjection() async throws {
        try await withClient(answer: { _, connection in connection.send(body: []) }) { client, server in
            for (value, key) in [("a\r\nX-Evil: 1", "k"), ("a", "swordfish\n"), ("a\u{0}", "k")] {
                var asked = try request(server.url)
                asked.headers = [("If-None-Match", value)]
                asked.bearer = Secret(key)
                let sent = asked
                let error = await #expect(throws: TransferError.self) { try await client.send(sent) }
                #expect(error?.code == .notAllowed)
                #expect(error?.description.contains("swordfish") == false)
            }
            #expect(server.requests.isEmpty)
        }
    }

    @Test("A task that is already cancelled makes no request")
    func cancelledBefore() async throws {
        try await withClient(answer: { _, connection in connection.send(body: []) }) { client, server in
            let url = server.url
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await client.send(request(url))
            }
            await #expect(throws: TransferError.self) { try await task.value }
            #expect(server.requests.isEmpty)
        }
    }

    @Test("A bearer token is sent to the asked origin, and to no other after a redirect")
    func bearerStaysHome() async throws {
        try await withClient(answer: { _, connection in connection.send(body: []) }) { client, other in
            let target = other.url
            try await ScriptedServer.withServer(answer: { request, connection in
                request.path == "/here"
                    ? connection.send(body: [])
                    : connection.send(status: "302 Found", headers: ["Location: " + (request.path == "/near" ? "/here" : target)], body: [])
            }) { server in
                let address = try WebAddress(server.url)
                for path in ["near", "far"] {
                    var asked = try request(try address.appending(path: path).text)
                    asked.bearer = Secret("swordfish")
                    asked.headers = [("X-Kept", "yes"), ("Cookie", "no")]
                    #expect(try await client.send(asked).status == 200)
                }
                #expect(server.requests.map(\.path) == ["/near", "/here", "/far"])
                #expect(server.requests.allSatisfy { $0.header("Authorization") == "Bearer swordfish" })
                #expect(other.requests.count == 1)
                #expect(other.requests.first?.header("Authorization") == nil)
                #expect(other.requests.first?.header("Cookie") == nil)
                #expect(other.requests.first?.header("X-Kept") == "yes")
            }
        }
    }
}

func request(_ url: String, maximumBytes: Int = 1_000_000, deadline: Duration = .seconds(30)) throws -> HTTPRequest {
    HTTPRequest(try WebAddress(url), maximumBytes: maximumBytes, deadline: deadline)
}

/// A client, and a server that answers as the test says.
func withClient<Value>(
    _ configuration: HTTPClient.Configuration = .init(),
    answer: @escaping @Sendable (ScriptedServer.Request, ScriptedServer.Connection) -> Bool,
    _ body: (HTTPClient, ScriptedServer) async throws -> Value
) async throws -> Value {
    try await ScriptedServer.withServer(answer: answer) { server in
        try await HTTPClient.withClient(configuration, log: .silent) { client in try await body(client, server) }
    }
}
