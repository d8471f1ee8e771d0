import Core
import FoundationEssentials
import Imaging
import StandIn
import Storage
import TestSupport
import Testing

@testable import Gateway

extension GatewayTests {
    @Suite("Answers of the API")
    struct AnswerTests {
        @Test("Status, body and type arrive as the API sent them; the second client gets what is kept")
        func keptForAll() async throws {
            try await House.with { house in
                let direct = try await Reply(
                    of: house.standIn.apiURL + "/movie/popular?page=2", ["-H", "Authorization: Bearer \(House.key)"])
                let before = house.count(of: "api")
                let first = try await house.get("/3/movie/popular?page=2&language=en-US")
                #expect((first.status, first.cache) == (200, "miss"))
                #expect(first.body == direct.body)
                #expect(first["Content-Type"] == direct["Content-Type"])
                #expect(first["Cache-Control"] == "public, max-age=1800")
                house.clock.advance(by: 100)
                let second = try await house.get("/3/movie/popular?language=en-US&page=2", "-H", "Accept: text/html")
                #expect((second.status, second.cache, second["Age"]) == (200, "hit", "100"))
                #expect(second.body == direct.body)
                #expect(house.count(of: "api") == before + 1)
                let head = try await house.get("/3/movie/popular?page=2", "--head")
                #expect(head.body.isEmpty && head["Content-Length"] == "\(direct.body.count)")
            }
        }

        @Test("A client that has it already is told so")
        func notModified() async throws {
            try await House.with { house in
                let title = "/3/movie/\(try #require(house.standIn.titles(in: "movie/popular")?.first).id)"
                let first = try await house.get(title)
                let tag = try #require(first["ETag"])
                for tags in [tag, "W/\(tag)", "\"other\", \(tag)", "*", "* "] {
                    let again = try await house.get(title, "-H", "If-None-Match: \(tags)")
                    #expect((again.status, again.body.count, again["ETag"]) == (304, 0, tag), "\(tags)")
                }
                #expect(try await house.get(title, "-H", "If-None-Match: \"other\"").status == 200)
            }
        }

        @Test("A list is kept for half an hour, a title for a day, unless the API says otherwise")
        func lifetimes() async throws {
            try await House.with(titles: nil) { house in
                let id = try #require(house.standIn.titles(in: "movie/popular")?.first).id
                #expect(try await house.get("/3/movie/popular")["Cache-Control"] == "public, max-age=1800")
                #expect(try await house.get("/3/movie/\(id)")["Cache-Control"] == "public, max-age=86400")
                try house.standIn.addFaults("api header=Cache-Control:public,%20max-age=60")
                #expect(try await house.get("/3/tv/popular")["Cache-Control"] == "public, max-age=60")
                house.clock.advance(by: 1_790)
                #expect(try await house.get("/3/movie/popular").cache == "hit")
                house.clock.advance(by: 20)
                #expect(try await house.get("/3/movie/popular").cache == "stale")
                #expect(try await house.get("/3/movie/\(id)").cache == "hit")
            }
        }

        @Test("What nobody may keep is asked for each time, and clients are told", arguments: ["no-store", "private,%20max-age=60"])
        func notToBeKept(directives: String) async throws {
            try await House.with { house in
                try house.standIn.addFaults("api header=Cache-Control:\(directives)")
                for _ in 0..<3 {
                    let reply = try await house.get("/3/movie/popular")
                    #expect((reply.status, reply.cache, reply["Cache-Control"]) == (200, "miss", "no-store"))
                }
                #expect(house.count(of: "api") == 3)
            }
        }

        @Test("What is stale is given at once and asked for anew")
        func revalidation() async throws {
            try await House.with { house in
                let old = try await house.get("/3/trending/movie/week")
                house.clock.advance(by: 3_600)
                house.standIn.week = 5
                try house.standIn.addFaults("api delay=200")
                let stale = try await house.get("/3/trending/movie/week")
                #expect((stale.cache, stale["Age"]) == ("stale", "3600"))
                #expect(stale.body == old.body)
                try await house.wait { try await house.get("/3/trending/movie/week").cache == "hit" }
                let new = try await house.get("/3/trending/movie/week")
                #expect(new.body != old.body)
                #expect(house.count(of: "api") == 2)
            }
        }

        @Test("It survives a restart")
        func restart() async throws {
            try await House.with { house in
                let first = try await house.get("/3/movie/popular")
                house.standIn.reset()
                // While the first gateway runs: another process on the same cache.
                try await house.opened { again in
                    let second = try await again.get("/3/movie/popular")
                    #expect((second.cache, second.body == first.body) == ("hit", true))
                    #expect(second["ETag"] == first["ETag"])
                }
                #expect(house.count(of: "api") == 0)
            }
        }

        @Test(
            "When the API fails, clients get what is kept, and else the right error",
            arguments: [
                ("status=500", 502), ("status=503", 502), ("status=401", 502), ("status=402", 502), ("status=403", 502),
                ("status=429 retry-after=7", 503), ("status=504", 504), ("body=html", 502), ("body=garbage", 502), ("body=empty", 502),
                ("json=truncated", 502), ("truncate=50%", 502), ("reset", 502), ("type=text/html", 502), ("type=text/html;x=json", 502),
                ("redirect=loop", 502),
                ("not-modified", 502), ("partial", 502), ("endless", 502), ("header-bomb=1000", 502),
                ("status=200 body=html type=application/json", 502),
            ])
        func failing(fault: String, expected: Int) async throws {
            try await House.with { house in
                let kept = try await house.get("/3/movie/popular")
                house.clock.advance(by: 3 * 86_400)
                try house.standIn.addFaults("api \(fault)")
                let stale = try await house.get("/3/movie/popular")
                #expect((stale.status, stale.cache) == (200, "stale"))
                #expect(stale.body == kept.body)
                #expect(stale["Age"] == "259200")
                let other = try await house.get("/3/movie/top_rated")
                #expect(other.status == expected, "\(other.text)")
                #expect(other["Content-Type"]?.hasPrefix("application/json") == true)
                #expect(other.text.contains("status_message"))
                #expect(!other.text.contains("127.0.0.1") && !other.text.contains("API key"), "public words alone")
                if expected == 503 { #expect((1...8).contains(Int(other["Retry-After"] ?? "") ?? 0)) }
                house.clock.advance(by: 5 * 86_400)
                #expect(try await house.get("/3/movie/popular").status >= 500, "nothing is good for ever")
            }
        }

        @Test("An API that does not answer is 504, and holds nobody else up")
        func slow() async throws {
            try await House.with { house in
                _ = try await house.get("/3/movie/popular")
                try house.standIn.addFaults("api path=top_rated delay=60000")
                async let late = house.get("/3/movie/top_rated")
                try await house.wait { house.count(of: "api") >= 1 }
                #expect(try await house.get("/3/movie/popular").cache == "hit")
                #expect(try await late.status == 504)
            }
        }

        @Test("A key that is refused is told to the owner once, aloud, and the API is left alone")
        func refused() async throws {
            try await House.with({ setup, _ in setup.key = "posterity-expired" }) { house in
                for id in 1...5 {
                    let reply = try await house.get("/3/movie/\(id)")
                    #expect(reply.status == 502)
                }
                #expect(house.count(of: "api") == 1)
                let errors = house.log.lines(.error)
                #expect(errors.count == 1 && errors[0].contains("402"), "\(errors)")
            }
        }

        @Test("Without a key it serves what is kept")
        func noKey() async throws {
            try await House.with { house in
                let kept = try await house.get("/3/movie/popular")
                house.standIn.reset()
                house.clock.advance(by: 86_400)
                try await house.opened({ setup, _ in setup.key = nil }) { again in
                    let (known, unknown) = (try await again.get("/3/movie/popular"), try await again.get("/3/movie/top_rated"))
                    #expect(known.body == kept.body)
                    #expect(unknown.status == 502)
                }
                #expect(house.count(of: "api") == 0)
            }
        }

        @Test("A title that is not there is 404 as the API says it, and not asked for again for a while")
        func notFound() async throws {
            try await House.with { house in
                let first = try await house.get("/3/movie/999999999")
                #expect(first.status == 404 && first.text.contains("The resource you requested"))
                let second = try await house.get("/3/movie/999999999")
                #expect((second.status, second.cache, second.body == first.body) == (404, "hit", true))
                #expect(house.count(of: "api") == 1)
                house.clock.advance(by: 301)
                #expect(try await house.get("/3/movie/999999999").cache == "miss")
            }
        }

        @Test("A thousand callers at once are one call to the API")
        func singleFlight() async throws {
            try await House.with { house in
                try house.standIn.addFaults("api delay=3000")
                let bodies = try await withThrowingTaskGroup(of: [String].self) { group in
                    for _ in 0..<4 {
                        group.addTask {
                            let output = try await Tool.run(
                                "curl",
                                [
                                    "-sS", "-Z", "--parallel-immediate", "--parallel-max", "250", "-o", "/dev/null", "-w",
                                    "%{http_code} %{size_download}\n",
                                    house.url + "/3/movie/popular?page=1&language=de#[1-250]",
                                ])
                            return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
                        }
                    }
                    return try await group.reduce(into: []) { $0 += $1 }
                }
                #expect(bodies.count == 1_000)
                #expect(Set(bodies).count == 1 && bodies.first?.hasPrefix("200 ") == true, "\(Set(bodies))")
                #expect(house.count(of: "api") == 1)
            }
        }

        @Test("What is kept is given however many wait for the hosts, also after a restart")
        func keptBesideWaiting() async throws {
            try await House.with({ setup, _ in setup.options.recipes = ["thumb": .standard] }) { house in
                let poster = try house.poster
                let kept = ["/3/movie/popular", "/t/p/w185" + poster, "/r/thumb/w185" + poster]
                for target in kept { #expect(try await house.get(target).status == 200) }
                try house.standIn.addFaults("api delay=60000\nimages delay=60000")
                try await house.opened({ setup, _ in setup.options.recipes = ["thumb": .standard] }) { again in
                    let crowds = ["/3/movie/[1-200]", "/t/p/w185/a[1-290].jpg", "/t/p/w185/b[1-290].jpg"]
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for crowd in crowds {
                            group.addTask {
                                let arguments = ["-sS", "-Z", "--parallel-immediate", "--parallel-max", "300", "-o", "/dev/null"]
                                _ = try? await Tool.run("curl", arguments + [again.url + crowd])
                            }
                        }
                        // Whoever finds no room is turned away at once.
                        try await again.wait {
                            let lines = try String(contentsOf: URL(filePath: again.accessLog), encoding: .utf8).split(separator: "\n")
                            let refused = lines.filter { $0.contains("\" 503 ") }
                            return refused.contains { $0.contains("GET /3/") } && refused.contains { $0.contains("GET /t/p/") }
                        }
                        for target in kept {
                            let reply = try await again.get(target)
                            #expect(reply.status == 200, "\(target): \(reply.text)")
                        }
                        group.cancelAll()
                    }
                }
            }
        }

        @Test("The plan is never exceeded: who cannot have a turn soon gets stale data, or 503 and a time")
        func pace() async throws {
            var standIn = StandInOptions()
            standIn.requestsPerMinute = 4
            try await House.with(
                standIn: standIn,
                { setup, _ in
                    setup.plan = 4
                    setup.options.isBehindProxy = true
                }
            ) { house in
                var statuses: [Int] = []
                for page in 1...8 {
                    let reply = try await house.get("/3/movie/popular?page=\(page)", "-H", "X-Forwarded-For: 192.0.2.\(page)")
                    statuses.append(reply.status)
                    if reply.status == 503 { #expect((1...63).contains(Int(reply["Retry-After"] ?? "") ?? 0)) }
                }
                #expect(statuses == [200, 200, 200, 200, 503, 503, 503, 503])
                #expect(house.standIn.counts["api 429"] == nil)
                #expect(house.count(of: "api") == 4)
            }
        }

        @Test("Of many different questions the oldest are forgotten")
        func bounded() async throws {
            try await House.with({ setup, _ in setup.options.responses.count = 20 }) { house in
                for page in 1...120 { _ = try await house.get("/3/movie/popular?page=\(page)") }
                let rows = try await Tool.run("sqlite3", [house.cache + "/index.sqlite", "SELECT count(*) FROM responses"])
                let count = try #require(Int(String(decoding: rows, as: UTF8.self).filter(\.isNumber)))
                #expect((20...70).contains(count))
            }
        }
    }
}
