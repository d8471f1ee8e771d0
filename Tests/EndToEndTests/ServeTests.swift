import Core
import FoundationEssentials
import Glibc
import StandIn
import TestSupport
import Testing

extension EndToEnd {
    @Suite("The verbs serve and token")
    struct ServeTests {
        /// `posterity serve`, with the address at which it listens.
        func beside<Value>(
            _ scene: Scene, _ arguments: [String] = [], environment changes: [String: String] = [:], descriptors: [Int32: Int32] = [:],
            _ body: (RunningTool, String) async throws -> Value
        ) async throws -> Value {
            let environment = scene.environment.merging(changes) { $1 }
            let words = ["serve", "--listen", "127.0.0.1:0"] + arguments
            return try await Tool.withProcess(
                ProgramUnderTest.path, words, environment: environment, directory: scene.home, descriptors: descriptors
            ) { program in
                guard let line = try await program.nextLine(), line.hasPrefix("Listening on http://127.0.0.1:") else {
                    throw TestSupportError("it did not start: \(try await program.ending().errors)")
                }
                return try await body(program, String(line.dropFirst("Listening on ".count)))
            }
        }

        func curl(_ arguments: String...) async throws -> [UInt8] {
            try await Tool.run("curl", ["-sS", "-i", "--path-as-is", "-g", "--max-time", "60"] + arguments)
        }

        func status(_ answer: [UInt8]) -> Int { Int(String(decoding: answer.dropFirst(9).prefix(3), as: UTF8.self)) ?? 0 }

        private func body(_ answer: [UInt8]) -> [UInt8] {
            guard let end = answer.indices.first(where: { answer[$0...].starts(with: [13, 10, 13, 10]) }) else { return [] }
            return Array(answer[(end + 4)...])
        }

        @Test("The key is in nothing that the process ever wrote")
        func key() async throws {
            let key = "0f3c9a71d5e84b62a1c7"
            var options = StandInOptions()
            options.keys = [key]
            try await Scene.with(titles: 40, options) { scene in
                var written: [UInt8] = []
                let poster = try #require(scene.standIn.titles(in: "movie/popular")?.first?.posterPath)
                let arguments = ["--admin", "127.0.0.1:0", "--verbose", "--recipe", "thumb=standard"]
                try await beside(scene, arguments, environment: ["AMODB_KEY": key]) { program, url in
                    let admin = try #require(try await program.nextLine()).dropFirst("Metrics on ".count)
                    let targets = [
                        "/3/movie/popular", "/3/movie/popular?api_key=\(key)", "/3/movie/popular?page=2", "/3/movie/999999999",
                        "/t/p/w92\(poster)",
                        "/r/thumb/w92\(poster)", "/t/p/w92/nothing.jpg", "/3/nothing?x=\(key)", "/\(key.prefix(3))", "/healthz",
                    ]
                    for target in targets {
                        written += try await curl(url + target, "-H", "Authorization: Bearer \(key)")
                        written += try await curl(url + target, "--head")
                    }
                    for fault in ["status=401", "status=402", "status=429", "status=500", "body=html", "reset", "header=X-Echo:a"] {
                        scene.standIn.removeFaults()
                        try scene.standIn.addFaults("api \(fault)\nimages \(fault)")
                        written += try await curl(url + "/3/tv/popular?page=\(fault.utf8.count)")
                        written += try await curl(url + "/t/p/w185\(poster)")
                    }
                    written += try await curl(String(admin))
                    program.signal(SIGTERM)
                    let ending = try await program.ending()
                    #expect(ending.status == 0)
                    #expect(ending.errors.contains("/3/movie/popular"), "it has logged what it was asked")
                    written += Array((ending.output + ending.errors).utf8)
                }
                #expect(scene.standIn.requests.contains { $0.area == "api" && $0.hasAuthorization }, "the key went to the API")
                #expect(scene.standIn.requests.allSatisfy { !$0.target.contains("api_key") }, "but no client's did")
                #expect(scene.standIn.requests.allSatisfy { $0.area == "api" || !$0.hasAuthorization }, "nor any key to the image host")
                for path in try FileManager.default.subpathsOfDirectory(atPath: scene.home) {
                    if let data = FileManager.default.contents(atPath: "\(scene.home)/\(path)") { written += data }
                }
                #expect(written.count > 50_000)
                #expect(!contains(written, Array(key.utf8)))
            }
        }

        private func contains(_ bytes: [UInt8], _ pattern: [UInt8]) -> Bool { Data(bytes).firstRange(of: Data(pattern)) != nil }

        /// The answers that clients have had, by page.
        private final class Answered: Sendable {
            private let kept = Mutex<[Int: [UInt8]]>([:])

            var bodies: [Int: [UInt8]] { kept.withLock { $0 } }

            func add(_ body: [UInt8], page: Int) { kept.withLock { $0[page] = body } }
        }

        /// Asks for one page after the other, until one cannot be had.
        private static func ask(for pages: StrideThrough<Int>, of url: String, noting answered: Answered) async {
            let tests = ServeTests()
            for page in pages {
                guard let answer = try? await tests.curl(url + "/3/movie/popular?page=\(page)"), tests.status(answer) == 200 else { return }
                answered.add(tests.body(answer), page: page)
            }
        }

        @Test("Killed under load, it has every answer that a client had")
        func killed() async throws {
            try await Scene.with(titles: 60) { scene in
                let answered = Answered()
                try await beside(scene, ["--access-log", "off"]) { program, url in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for worker in 0..<6 {
                            group.addTask { await Self.ask(for: stride(from: worker + 1, through: 240, by: 6), of: url, noting: answered) }
                        }
                        try await scene.wait { answered.bodies.count >= 60 }
                        program.signal(SIGKILL)
                        try await group.waitForAll()
                    }
                    #expect(try await program.ending().status == -SIGKILL)
                }
                try await CacheInspection(root: scene.cache).expectSound()
                try scene.standIn.addFaults("api reset")
                try await beside(scene) { _, url in
                    let kept = answered.bodies
                    #expect(kept.count >= 60)
                    for (page, body) in kept {
                        let answer = try await curl(url + "/3/movie/popular?page=\(page)")
                        #expect(self.body(answer) == body, "page \(page)")
                    }
                }
            }
        }

        @Test("SIGTERM finishes what is under way, lets nobody else in, and ends with 0")
        func stopped() async throws {
            let mayAnswer = Monitor(false)
            let answer: @Sendable (ScriptedServer.Request, ScriptedServer.Connection) -> Bool = { _, connection in
                mayAnswer.wait { $0 ? .done(()) : .wait }
                return connection.send(body: Array("{\"page\":1}".utf8))
            }
            try await Scene.with(titles: 2) { scene in
                try await ScriptedServer.withServer(answer: answer) { upstream in
                    try await beside(scene, ["--api", upstream.url + "/3"]) { program, url in
                        async let underWay = curl(url + "/3/movie/popular")
                        try await scene.wait { !upstream.requests.isEmpty }
                        program.signal(SIGTERM)
                        // It has heard when it lets nobody in any more.
                        while try await Tool.outcome(of: "curl", ["-s", "--max-time", "5", url + "/healthz"]).status == 0 {}
                        mayAnswer.change { $0 = true }
                        let answer = try await underWay
                        #expect(status(answer) == 200)
                        #expect(body(answer) == Array("{\"page\":1}".utf8))
                        let ending = try await program.ending()
                        #expect(ending.status == 0)
                        #expect(!ending.errors.contains("error"), "\(ending.errors)")
                    }
                }
                try await CacheInspection(root: scene.cache).expectSound()
            }
        }

        @Test("An upstream that never answers does not hold the end up")
        func stoppedInSpite() async throws {
            try await Scene.with(titles: 2) { scene in
                try scene.standIn.addFaults("api delay=120000")
                try await beside(scene) { program, url in
                    async let _ = curl(url + "/3/movie/popular")
                    try await Task.sleep(for: .milliseconds(500))
                    program.signal(SIGTERM)
                    let ending = try await program.ending()
                    #expect(ending.status == 0)
                }
            }
        }

        @Test("It is not to be reached from elsewhere without tokens, unless told to")
        func exposed() async throws {
            try await Scene.with(titles: 2) { scene in
                for address in ["0.0.0.0:0", "[::]:0"] {
                    let refused = try await scene.posterity("serve", "--listen", address)
                    #expect(refused.status == 2)
                    #expect(refused.errors.contains("--tokens-file"))
                }
                let admin = try await scene.posterity("serve", "--listen", "127.0.0.1:0", "--admin", "0.0.0.0:0")
                #expect(admin.status == 2)
                for address in ["127.0.0.1:8081", "unix:\(scene.home)/socket"] {
                    let same = try await scene.posterity("serve", "--listen", address, "--admin", address)
                    #expect(same.status == 2 && same.errors.contains("--admin: \(address) is the same address as --listen has"))
                }
                for wrong in ["nowhere", "127.0.0.1", "127.0.0.1:99999", "localhost:80", "::1:80"] {
                    #expect(try await scene.posterity("serve", "--listen", wrong).status == 2, "\(wrong)")
                }
                let taken = try await beside(scene) { _, url in
                    try await scene.posterity("serve", "--listen", String(url.dropFirst("http://".count)))
                }
                #expect(taken.status == 1 && taken.errors.contains("another program"))
                try await Tool.withProcess(
                    ProgramUnderTest.path, ["serve", "--listen", "0.0.0.0:0", "--public"], environment: scene.environment,
                    directory: scene.home
                ) { program in
                    let line = try await program.nextLine()
                    #expect(line?.hasPrefix("Listening on http://0.0.0.0:") == true)
                }
            }
        }

        @Test("It listens on several addresses at once, a socket file among them")
        func addresses() async throws {
            try await Scene.with(titles: 20) { scene in
                try await beside(scene, ["--listen", "[::1]:0", "--listen", "unix:\(scene.home)/socket"]) { program, url in
                    let second = try #require(try await program.nextLine())
                    #expect(second.hasPrefix("Listening on http://[::1]:"))
                    #expect(try await program.nextLine() == "Listening on unix:\(scene.home)/socket")
                    let answers = [
                        try await curl(url + "/3/movie/popular"),
                        try await curl(second.dropFirst("Listening on ".count) + "/3/movie/popular"),
                        try await curl("--unix-socket", scene.home + "/socket", "http://localhost/3/movie/popular"),
                    ]
                    #expect(answers.map(status) == [200, 200, 200])
                    #expect(Set(answers.map(body)).count == 1)
                    #expect(scene.standIn.counts["api"] == 1)
                }
            }
        }

        @Test("Tokens are made, listed and revoked, and decide who is let in")
        func tokens() async throws {
            try await Scene.with(titles: 20) { scene in
                let file = ["--tokens-file", "tokens.json"]
                func token(_ words: String...) async throws -> ProgramUnderTest.Ending {
                    try await ProgramUnderTest.run(["token"] + words + file, environment: scene.environment, in: scene.home)
                }
                let made = try await token("new", "ios")
                #expect(made.status == 0)
                let text = made.output.filter { !$0.isNewline }
                #expect(text.hasPrefix("pst_") && made.output.split(separator: "\n").count == 1)
                #expect(!made.errors.contains(text))
                #expect(try await token("new", "ios").status == 1)
                #expect(try await token("list").output.contains("ios"))
                #expect(try await !token("list", "--json").output.contains(text))
                #expect(try await token("new").status == 2)
                #expect(try await token("revoke", "ois").errors.contains("did you mean ios?"))
                try await beside(scene, file) { _, url in
                    #expect(status(try await curl(url + "/3/movie/popular")) == 401)
                    #expect(status(try await curl(url + "/3/movie/popular", "-H", "Authorization: Bearer \(text)")) == 200)
                    #expect(try await token("revoke", "ios").status == 0)
                    var last = 200
                    for _ in 0..<100 where last != 401 {
                        try await Task.sleep(for: .milliseconds(100))
                        last = status(try await curl(url + "/3/movie/popular", "-H", "Authorization: Bearer \(text)"))
                    }
                    #expect(last == 401)
                }
                let absent = try await scene.posterity("serve", "--listen", "127.0.0.1:0", "--tokens-file", "absent.json")
                #expect(absent.status == 1 && absent.errors.contains("absent.json"))
            }
        }

        @Test("A token that cannot be shown is not made")
        func unshownToken() async throws {
            try await Scene.with(titles: 2) { scene in
                let command = "exec '\(ProgramUnderTest.path)' token new tv --tokens-file tokens.json >/dev/full"
                let lost = try await ProgramUnderTest.run(["-c", command], program: "sh", environment: scene.environment, in: scene.home)
                #expect(lost.status == 1)
                #expect(lost.errors.contains("tokens.json gets no new token"), "\(lost.errors)")
                let made = try await scene.posterity("token", "new", "tv", "--tokens-file", "tokens.json")
                #expect(made.status == 0, "the name is free: \(made.errors)")
            }
        }

        @Test("A mirror and the gateway on one cache keep to the plan together, and share pictures")
        func together() async throws {
            var options = StandInOptions()
            options.requestsPerMinute = 5
            try await Scene.with(titles: 60, options) { scene in
                let mirror = try await scene.posterity(
                    "mirror", "movie/popular", "--pages", "3", "--sizes", "w92", "--requests-per-minute", "5")
                #expect(mirror.status == 0, "\(mirror.errors)")
                let poster = try #require(scene.standIn.titles(in: "movie/popular")?.first?.posterPath)
                let images = scene.count(of: "images")
                try await beside(scene, ["--requests-per-minute", "5", "--behind-proxy"]) { _, url in
                    #expect(status(try await curl(url + "/t/p/w92" + poster)) == 200)
                    #expect(scene.count(of: "images") == images)
                    var statuses: [Int] = []
                    for page in 1...4 {
                        let answer = try await curl(url + "/3/tv/popular?page=\(page)", "-H", "X-Forwarded-For: 192.0.2.\(page)")
                        statuses.append(status(answer))
                    }
                    #expect(statuses == [200, 200, 503, 503])
                }
                #expect(scene.standIn.counts["api 429"] == nil)
                #expect(scene.standIn.counts["api 200"] == 5)
            }
        }
    }
}
