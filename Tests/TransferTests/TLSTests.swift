import Core
import TestSupport
import Testing
import Transfer

/// TLS and HTTP/2, with a real peer.
@Suite("TLS and HTTP/2", .enabled(if: TLSProxy.isAvailable, Comment(rawValue: TLSProxy.requirement)), .serialized)
struct TLSTests {
    private func withPeer<Value>(
        _ certificate: TLSProxy.Certificate = .valid, protocols: String = "h2,http/1.1", connectionsPerHost: Int = 6,
        answer: @escaping @Sendable (ScriptedServer.Request, ScriptedServer.Connection) -> Bool,
        _ body: (HTTPClient, String, ScriptedServer) async throws -> Value
    ) async throws -> Value {
        try await ScriptedServer.withServer(answer: answer) { server in
            try await TLSProxy.withProxy(backend: server.port, certificate: certificate, protocols: protocols) { proxy in
                var configuration = HTTPClient.Configuration()
                configuration.certificateAuthorityFile = proxy.authorityFile
                configuration.connectionsPerHost = connectionsPerHost
                return try await HTTPClient.withClient(configuration, log: .silent) { try await body($0, proxy.url, server) }
            }
        }
    }

    private static let poster = [UInt8](repeating: 0xA5, count: 40_000)

    @Test("Many requests at once share one HTTP/2 connection")
    func multiplexing() async throws {
        try await withPeer(answer: { request, connection in connection.send(body: Self.poster + Array(request.path.utf8)) }) {
            client, url, _ in
            try await forEachBounded(0..<300, limit: 40) { number in
                let response = try await client.send(request("\(url)/\(number)"))
                #expect(response.protocolVersion == "HTTP/2")
                #expect(response.body == Self.poster + Array("/\(number)".utf8))
            }
            #expect(client.statistics.connectionsOpened == 1)
            #expect(client.statistics.requests == 300)
        }
    }

    @Test("A host that speaks HTTP/1.1 only is asked on kept connections, no more than the cap")
    func oldProtocol() async throws {
        try await withPeer(protocols: "http/1.1", connectionsPerHost: 3, answer: { _, connection in connection.send(body: Self.poster) }) {
            client, url, _ in
            try await forEachBounded(0..<100, limit: 20) { number in
                let response = try await client.send(request("\(url)/\(number)"))
                #expect(response.protocolVersion == "HTTP/1.1")
            }
            #expect((1...3).contains(client.statistics.connectionsOpened))
        }
    }

    @Test("A certificate that proves nothing is refused", arguments: [TLSProxy.Certificate.expired, .wrongName, .selfSigned])
    func badCertificate(_ certificate: TLSProxy.Certificate) async throws {
        try await withPeer(certificate, answer: { _, connection in connection.send(body: []) }) { client, url, server in
            let error = await #expect(throws: TransferError.self) { try await client.send(request(url)) }
            #expect(error?.code == .tlsFailed)
            #expect(error?.isTransient == false)
            let words = [TLSProxy.Certificate.expired: "expired", .wrongName: "name matches", .selfSigned: "self-signed"]
            #expect(error?.description.contains(words[certificate]!) == true, "\(String(describing: error))")
            #expect(server.requests.isEmpty)
        }
    }

    @Test("An HTTP/2 answer that is cut off is truncated")
    func cutStream() async throws {
        try await withPeer(answer: { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + String(repeating: "x", count: 30_000))
            return false
        }) { client, url, _ in
            let error = await #expect(throws: TransferError.self) { try await client.send(request(url)) }
            #expect(error?.code == .truncated, "\(String(describing: error))")
            #expect(error?.isTransient == true)
        }
    }

    @Test("Cancelling or refusing one HTTP/2 answer leaves the connection to the others")
    func cancelledStream() async throws {
        try await withPeer(answer: { request, connection in
            guard request.path == "/endless" else { return connection.send(body: Self.poster) }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10000000\r\n\r\n" + String(repeating: "x", count: 200_000))
            connection.waitForClose()
            return false
        }) { client, url, _ in
            for _ in 0..<10 {
                let error = await #expect(throws: TransferError.self) {
                    try await client.send(request(url + "/endless", maximumBytes: 100_000))
                }
                #expect(error?.code == .tooManyBytes)
                let task = Task { try await client.send(request(url + "/endless", maximumBytes: 10_000_000)) }
                let response = try await client.send(request(url + "/poster"))
                task.cancel()
                #expect(response.body == Self.poster)
                await #expect(throws: TransferError.self) { try await task.value }
            }
            #expect(client.statistics.connectionsOpened == 1)
        }
    }
}
