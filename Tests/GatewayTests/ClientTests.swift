import Core
import FoundationEssentials
import StandIn
import TestSupport
import Testing

@testable import Gateway

extension GatewayTests {
    @Suite("Clients")
    struct ClientTests {
        private static let tokens: @Sendable (inout House.Setup, String) throws -> Void = { setup, home in
            setup.options.tokensFile = home + "/tokens.json"
            if !FileManager.default.fileExists(atPath: home + "/tokens.json") {
                _ = try TokenFile(home + "/tokens.json").add(named: "first", clock: .system)
            }
        }

        @Test("Only those with a token are let in, by the header or where the API's key would be")
        func tokens() async throws {
            try await House.with(Self.tokens) { house in
                let token = try TokenFile(house.home + "/tokens.json").add(named: "ios", clock: .system)
                let poster = "/t/p/w185" + (try house.poster)
                for target in ["/3/movie/popular", poster, "/3/movie/popular?api_key=", "/3/movie/popular?api_key=posterity-demo"] {
                    let none = try await house.get(target)
                    #expect(none.status == 401)
                    #expect(none["WWW-Authenticate"]?.hasPrefix("Bearer realm=") == true)
                    #expect(none["Cache-Control"] == "no-store")
                }
                #expect(house.standIn.requests.isEmpty, "nobody without a token causes a request")
                // The file has changed since the gateway read it.
                try await house.wait { try await house.get("/3/movie/popular", "-H", "Authorization: Bearer \(token)").status == 200 }
                #expect(try await house.get("/3/movie/popular?page=1&api_key=\(token)").cache == "hit")
                #expect(try await house.get("/3/movie/popular?a%70i_key=\(token)").cache == "hit")
                #expect(try await house.get(poster, "-H", "authorization: bearer \(token)")["Cache-Control"]?.hasPrefix("private") == true)
                #expect(try await house.get(poster + "?api_key=\(token)").status == 200)
                #expect(try await house.get("/3/movie/popular", "-H", "Authorization: Bearer  \(token) \t").status == 200)
                #expect(try await house.get("/3/movie/popular", "-H", "Authorization: Basic \(token)").status == 401)
                #expect(try await house.get("/3/movie/popular", "-H", "Authorization: Bearer \(token)x").status == 401)
                #expect(try await house.get("/3/movie/popular", "-H", "Authorization: Bearer \(token.dropLast())0").status == 401)
                #expect(!house.standIn.requests.contains { $0.target.contains("pst_") }, "no client's token goes upstream")
                try TokenFile(house.home + "/tokens.json").revoke("ios")
                try await house.wait { try await house.get("/3/movie/popular", "-H", "Authorization: Bearer \(token)").status == 401 }
                #expect(house.log.lines(.info).contains { $0.contains("has changed: 1 token") })
            }
        }

        @Test("A tokens file that is spoilt or gone changes nothing for those who have a token")
        func spoiltFile() async throws {
            try await House.with(Self.tokens) { house in
                let path = house.home + "/tokens.json"
                let token = try TokenFile(path).add(named: "tv", clock: .system)
                try await house.wait { try await house.get("/3/movie/popular", "-H", "Authorization: Bearer \(token)").status == 200 }
                try Data("{".utf8).write(to: URL(filePath: path))
                try await house.wait { house.log.lines(.error).contains { $0.contains("tokens.json") } }
                #expect(try await house.get("/3/movie/popular", "-H", "Authorization: Bearer \(token)").status == 200)
                try FileManager.default.removeItem(atPath: path)
                try await house.wait { house.log.lines(.error).contains { $0.contains("is gone") } }
                #expect(try await house.get("/3/movie/popular", "-H", "Authorization: Bearer \(token)").status == 200)
            }
        }

        @Test("Each address has its own allowance, whatever token all of them have")
        func addressLimits() async throws {
            try await House.with({ setup, home in
                try Self.tokens(&setup, home)
                setup.options.requestsPerClient = 6
                setup.options.isBehindProxy = true
            }) { house in
                let token = try TokenFile(house.home + "/tokens.json").add(named: "ios", clock: .system)
                try await house.wait { house.log.lines(.info).contains { $0.contains("2 tokens") } }
                func status(_ address: String) async throws -> Int {
                    try await house.get(
                        "/3/movie/popular", "-H", "Authorization: Bearer \(token)", "-H", "X-Forwarded-For: \(address)"
                    ).status
                }
                for _ in 1...6 { #expect(try await status("192.0.2.1") == 200) }
                #expect(try await status("192.0.2.1") == 429)
                #expect(try await status("::ffff:192.0.2.1") == 429, "the same address")
                for number in 2...9 { #expect(try await status("192.0.2.\(number)") == 200, "another user of the same app") }
            }
        }

        @Test("One address gets half of the plan; then it gets what is kept, and others go on")
        func shares() async throws {
            try await House.with({ setup, _ in
                setup.plan = 6
                setup.options.isBehindProxy = true
            }) { house in
                func get(_ page: Int, _ address: String) async throws -> Reply {
                    try await house.get("/3/movie/popular?page=\(page)", "-H", "X-Forwarded-For: \(address)")
                }
                for page in 1...3 { #expect(try await get(page, "192.0.2.1").status == 200) }
                let refused = try await get(4, "192.0.2.1")
                #expect(refused.status == 429)
                #expect((1...60).contains(Int(refused["Retry-After"] ?? "") ?? 0))
                #expect(try await get(3, "192.0.2.1").cache == "hit")
                for page in 4...6 { #expect(try await get(page, "192.0.2.2").status == 200) }
                #expect(try await get(4, "192.0.2.1").cache == "hit")
                house.clock.advance(by: 3_600)
                #expect(try await get(3, "192.0.2.1").cache == "stale")
                house.clock.advance(by: 2 * 86_400)
                #expect(try await get(3, "192.0.2.1").cache == "stale")
                #expect(house.count(of: "api") == 6)
            }
        }

        @Test("A token's allowance is there if the owner wants one, and an address's is for those without a token too")
        func limits() async throws {
            try await House.with({ setup, home in
                try Self.tokens(&setup, home)
                setup.options.requestsPerClient = 6
                setup.options.requestsPerToken = 6
                setup.options.isBehindProxy = true
            }) { house in
                let file = TokenFile(house.home + "/tokens.json")
                let token = try file.add(named: "ios", clock: .system)
                try await house.wait { house.log.lines(.info).contains { $0.contains("2 tokens") } }
                func get(_ address: String) async throws -> Reply {
                    try await house.get(
                        "/3/movie/popular", "-H", "Authorization: Bearer \(token)", "-H", "X-Forwarded-For: 9.9.9.9, \(address)")
                }
                // Each from another address, so that the token's own allowance is what ends.
                for number in 1...6 { #expect(try await get("192.0.2.\(number)").status == 200) }
                let refused = try await get("192.0.2.7")
                #expect(refused.status == 429)
                #expect((1...11).contains(Int(refused["Retry-After"] ?? "") ?? 0))
                // An address's allowance is for those without a token too.
                for _ in 1...6 { #expect(try await house.get("/3/movie/popular", "-H", "X-Forwarded-For: 2001:db8::1").status == 401) }
                #expect(try await house.get("/3/movie/popular", "-H", "X-Forwarded-For: 2001:db8::2").status == 429, "the same network")
                #expect(try await house.get("/3/movie/popular", "-H", "X-Forwarded-For: 2001:db8:0:1::1").status == 401, "another one")
                #expect(try await house.get("/healthz").status == 200, "health is always told")
            }
        }

        @Test(
            "Behind a proxy a client is the last address of the last line, in whatever form",
            arguments: [
                (["203.0.113.1"], "203.0.113.1"), (["198.51.100.9, 203.0.113.1"], "203.0.113.1"),
                (["198.51.100.9", "203.0.113.1"], "203.0.113.1"), (["198.51.100.9", "198.51.100.8,203.0.113.1 "], "203.0.113.1"),
                (["203.0.113.1:4444"], "203.0.113.1"), (["::ffff:203.0.113.1"], "203.0.113.1"),
                (["[::ffff:203.0.113.1]:80"], "203.0.113.1"), (["[2001:db8::1]:443"], "2001:db8::1"),
                (["[2001:db8::1]"], "2001:db8::1"), (["2001:DB8:0::1"], "2001:db8::1"), (["203.0.113.1", "nobody"], "127.0.0.1"),
                (["203.0.113.1:x"], "127.0.0.1"), (["[203.0.113.1"], "127.0.0.1"), ([], "127.0.0.1"),
            ])
        func forwarded(lines: [String], client: String) async throws {
            try await House.with({ setup, _ in setup.options.isBehindProxy = true }) { house in
                let headers = lines.flatMap { ["-H", "X-Forwarded-For: \($0)"] }
                #expect(try await Reply(of: house.url + "/healthz", headers).status == 200)
                func log() -> String { (try? String(contentsOf: URL(filePath: house.accessLog), encoding: .utf8)) ?? "" }
                try await house.wait { log().hasSuffix("\n") }
                let log = log()
                #expect(log.hasPrefix(client + " "), "\(log)")
            }
        }

        @Test("Web pages of the origins that are named may read the answers, and no others")
        func cors() async throws {
            try await House.with({ setup, _ in setup.options.origins = ["https://films.example"] }) { house in
                let allowed = try await house.get("/3/movie/popular", "-H", "Origin: https://films.example")
                #expect(allowed["Access-Control-Allow-Origin"] == "https://films.example")
                #expect(allowed["Vary"] == "Origin")
                #expect(allowed["Access-Control-Expose-Headers"]?.contains("X-Cache") == true)
                #expect(allowed["Access-Control-Expose-Headers"]?.contains("Content-Range") == true)
                let refusals: [(Int, String, [String])] = [
                    (405, "/3/movie/popular", ["-X", "POST"]), (414, "/3/movie/popular?x=" + String(repeating: "a", count: 3_000), []),
                    (416, "/3/movie/popular", ["-H", "Range: bytes=99999999-"]),
                ]
                for (status, target, arguments) in refusals {
                    let reply = try await Reply(of: house.url + target, arguments + ["-H", "Origin: https://films.example"])
                    #expect(reply.status == status)
                    #expect(reply["Access-Control-Allow-Origin"] == "https://films.example", "\(status)")
                    let other = try await Reply(of: house.url + target, arguments)
                    #expect(other["Access-Control-Allow-Origin"] == nil && other["Vary"] == "Origin", "\(status)")
                }
                let other = try await house.get("/3/movie/popular", "-H", "Origin: https://films.example.evil.example")
                #expect(other["Access-Control-Allow-Origin"] == nil && other["Vary"] == "Origin")
                let preflight = try await house.get(
                    "/3/movie/popular", "-X", "OPTIONS", "-H", "Origin: https://films.example", "-H", "Access-Control-Request-Method: GET")
                #expect(preflight.status == 204)
                #expect(preflight["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS")
                #expect(preflight["Access-Control-Allow-Headers"]?.contains("Authorization") == true)
                let error = try await house.get("/3/nothing", "-H", "Origin: https://films.example")
                #expect((error.status, error["Access-Control-Allow-Origin"]) == (404, "https://films.example"))
            }
            try await House.with({ setup, _ in setup.options.origins = ["*"] }) { house in
                let reply = try await house.get("/3/movie/popular")
                #expect(reply["Access-Control-Allow-Origin"] == "*")
            }
        }

        @Test("Nothing but GET, HEAD and OPTIONS", arguments: ["POST", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "get", "PROPFIND"])
        func methods(method: String) async throws {
            try await House.with { house in
                let reply = try await house.get("/3/movie/popular", "-X", method)
                #expect([400, 405, 501].contains(reply.status))
                #expect(house.standIn.requests.isEmpty)
            }
        }
    }
}

@Suite("The tokens file")
struct TokenFileTests {
    @Test("A token is shown once; the file is its owner's alone and holds no token")
    func file() async throws {
        try await withTemporaryDirectory { directory in
            let file = TokenFile(directory + "/tokens.json")
            let (one, two) = (try file.add(named: "one", clock: .system), try file.add(named: "two", clock: .system))
            #expect(one != two)
            #expect(one.utf8.count == 3 + 1 + 12 + 1 + 64)
            let text = try String(contentsOf: URL(filePath: file.path), encoding: .utf8)
            #expect(!text.contains(one.suffix(64)))
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(try file.records().map(\.name) == ["one", "two"])
            #expect(try file.records()[0].fits(one) && !file.records()[0].fits(two))
            #expect(throws: TokenFileError.self) { try file.add(named: "one", clock: .system) }
            #expect(throws: TokenFileError.self) { try file.add(named: "no good", clock: .system) }
            try file.revoke("one")
            #expect(try file.records().map(\.name) == ["two"])
            #expect(throws: TokenFileError.self) { try file.revoke("one") }
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["tokens.json"])
        }
    }

    @Test("A link to it stays a link, and the file that it leads to is changed")
    func link() async throws {
        try await withTemporaryDirectory { directory in
            let manager = FileManager.default
            try manager.createDirectory(atPath: directory + "/there", withIntermediateDirectories: false)
            let (file, link) = (TokenFile(directory + "/there/tokens.json"), TokenFile(directory + "/tokens.json"))
            try manager.createSymbolicLink(atPath: link.path, withDestinationPath: "there/tokens.json")
            #expect(throws: TokenFileError.self) { try link.add(named: "early", clock: .system) }
            _ = try file.add(named: "one", clock: .system)
            _ = try link.add(named: "two", clock: .system)
            #expect(try file.records().map(\.name) == ["one", "two"])
            try link.revoke("one")
            #expect(try file.records().map(\.name) == ["two"])
            #expect(try manager.destinationOfSymbolicLink(atPath: link.path) == "there/tokens.json")
            #expect(try manager.contentsOfDirectory(atPath: directory + "/there") == ["tokens.json"])
            #expect(try manager.contentsOfDirectory(atPath: directory).sorted() == ["there", "tokens.json"])
        }
    }

    @Test("Many who change it at once lose nothing")
    func manyAtOnce() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/tokens.json"
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask { try await onDedicatedThread { _ = try TokenFile(path).add(named: "token-\(number)", clock: .system) } }
                }
                try await group.waitForAll()
            }
            #expect(Set(try TokenFile(path).records().map(\.name)).count == 20)
        }
    }

    @Test("A bucket fills evenly, and those of many clients are not remembered for ever")
    func bucket() {
        let limiter = RateLimiter<String>(perMinute: 60)
        let start = ContinuousClock.now
        for _ in 0..<60 { #expect(limiter.take("a", now: start) == nil) }
        #expect(limiter.take("a", now: start) == 1)
        #expect(limiter.take("b", now: start) == nil)
        #expect(limiter.take("a", now: start + .seconds(2)) == nil)
        #expect(limiter.take("a", now: start + .seconds(2)) == nil)
        #expect(limiter.take("a", now: start + .seconds(2)) == 1)
    }

    @Test("What is used stays, what is not goes, and the bound holds")
    func generations() {
        var held = Generations<Int, Int>(bound: 100)
        for number in 0..<1_000 {
            held.set(number, number)
            #expect(held[0] == 0)
            #expect(held.cost <= 101)
        }
        #expect(held[1] == nil && held[999] == 999)
        held.set(7, 7, cost: 80)
        #expect(held[7] == 7)
    }
}
