import Core
import TestSupport
import Testing

@testable import Transfer

/// Where a redirect may lead.
@Suite("Redirects")
struct RedirectTests {
    private func withRedirect<Value>(
        to location: String, _ body: (HTTPClient, ScriptedServer) async throws -> Value
    ) async throws -> Value {
        try await withClient(answer: { request, connection in
            if request.path == "/end" { return connection.send(body: Array("arrived".utf8)) }
            return connection.send(status: "302 Found", headers: ["Location: \(location)"], body: Array("elsewhere".utf8))
        }) { try await body($0, $1) }
    }

    @Test("A redirect is followed, and the response says where it ended", arguments: [301, 302, 303, 307, 308])
    func followed(status: Int) async throws {
        try await withClient(answer: { request, connection in
            if request.path == "/a/end" { return connection.send(body: Array("arrived".utf8)) }
            return connection.send(status: "\(status) Elsewhere", headers: ["Location: end"], body: [])
        }) { client, server in
            let response = try await client.send(request(server.url + "/a/start"))
            #expect(response.body == Array("arrived".utf8))
            #expect(response.address.text == server.url + "/a/end")
            #expect(server.requests.map(\.path) == ["/a/start", "/a/end"])
        }
    }

    @Test("300 and 304, and a redirect that leads nowhere, are answers for the caller")
    func notFollowed() async throws {
        try await withClient(answer: { request, connection in
            connection.send(status: "\(request.path.dropFirst()) Odd", headers: request.path == "/302" ? [] : ["Location: /x"], body: [])
        }) { client, server in
            for status in [300, 302, 305] {
                let response = try await client.send(request(server.url + "/\(status)"))
                #expect(response.status == status)
            }
        }
    }

    @Test("A redirect loop ends after five redirects")
    func loop() async throws {
        try await withRedirect(to: "/again") { client, server in
            let error = await #expect(throws: TransferError.self) { try await client.send(request(server.url)) }
            #expect(error?.code == .tooManyRedirects)
            #expect(server.requests.count == 6)
        }
    }

    @Test(
        "A redirect leads to no other scheme, to no plain HTTP elsewhere, to no private address, and carries no password",
        arguments: [
            "file:///etc/passwd", "ftp://127.0.0.1/x", "javascript:alert(1)", "http://img.example.org/x", "http://10.0.0.1/",
            "https://10.0.0.1/",
            "https://192.168.1.1/", "https://169.254.169.254/latest/meta-data", "https://[fe80::1]/", "https://[fd00::1]/", "https://0/",
            "https://[::ffff:10.1.2.3]/", "https://0xa000001/", "http://name:word@127.0.0.1/", "//100.64.0.1/x", "https://",
        ])
    func refused(location: String) async throws {
        try await withRedirect(to: location) { client, server in
            let error = await #expect(throws: TransferError.self) { try await client.send(request(server.url)) }
            #expect(error?.code == .notAllowed)
            #expect(error?.description.contains(server.url) == true)
            #expect(error?.description.contains("word@") == false)
            #expect(server.requests.count == 1)
        }
    }

    @Test("A name that resolves to this machine is not connected to after a redirect from outside")
    func nameOfPrivateAddress() async throws {
        try await ScriptedServer.withServer(answer: { _, connection in connection.send(body: []) }) { server in
            try await withLoop { loop in
                let error = await #expect(throws: TransferError.self) {
                    try await loop.run(plan("http://localhost:\(server.port)/", redirectedFrom: .everywhere))
                }
                #expect(error?.code == .notAllowed)
                #expect(server.connectionsAccepted == 0)
            }
        }
    }

    @Test("Nor is a connection used that was kept from an allowed request")
    func keptConnection() async throws {
        try await ScriptedServer.withServer(answer: { _, connection in connection.send(body: []) }) { server in
            try await withLoop { loop in
                let url = "http://127.0.0.1:\(server.port)/"
                let first = try await loop.run(plan(url, redirectedFrom: nil))
                let error = await #expect(throws: TransferError.self) { try await loop.run(plan(url, redirectedFrom: .everywhere)) }
                #expect(error?.code == .notAllowed)
                let second = try await loop.run(plan(url, redirectedFrom: .loopback))
                #expect([first.response.status, second.response.status] == [200, 200])
                #expect(server.requests.count == 2)
            }
        }
    }

    @Test(
        "Addresses are told apart by the network they belong to",
        arguments: [
            ("8.8.8.8", NetworkClass.everywhere), ("2001:4860::1", .everywhere), ("172.32.0.1", .everywhere), ("100.128.0.1", .everywhere),
            ("127.9.9.9", .loopback), ("::1", .loopback), ("::ffff:127.0.0.1", .loopback), ("localhost", .loopback),
            ("a.localhost", .loopback),
            ("10.255.0.1", .site), ("172.16.0.1", .site), ("172.31.0.1", .site), ("192.168.0.1", .site), ("100.64.0.1", .site),
            ("fd12::1", .site),
            ("169.254.169.254", .special), ("0.0.0.0", .special), ("255.255.255.255", .special), ("224.0.0.1", .special), ("::", .special),
            ("fe80::1%eth0", .special), ("ff02::1", .special), ("64:ff9b::a00:1", .site), ("2002:7f00:1::", .loopback),
            ("198.18.0.1", .special),
        ])
    func networkClass(host: String, expected: NetworkClass) {
        #expect(NetworkClass(ofHost: host) == expected)
    }

    private func plan(_ url: String, redirectedFrom: NetworkClass?) throws -> TransferPlan {
        TransferPlan(
            address: try WebAddress(url), headers: [], bearer: nil, maximumBytes: 1_000, acceptsCompression: false,
            redirectedFrom: redirectedFrom,
            deadline: .seconds(30), end: .now + .seconds(30))
    }

    private func withLoop(_ body: (TransferLoop) async throws -> Void) async throws {
        let loop = TransferLoop(HTTPClient.Configuration())
        loop.start()
        do { try await body(loop) } catch {
            await loop.stop()
            throw error
        }
        await loop.stop()
    }
}
