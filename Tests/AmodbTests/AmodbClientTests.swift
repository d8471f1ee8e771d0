import Amodb
import Core
import FoundationEssentials
import StandIn
import TestSupport
import Testing
import Transfer

@Suite("The movie API's rules")
struct AmodbClientTests {
    /// A client with a stand-in before it, a clock that the test sets, and waits that are written down instead of waited.
    private struct Bench {
        let standIn: StandIn
        let clock = SettableClock()
        let log = LogBook()
        let waits = Waits()
        let answers = Answers()
        var key: String? = "posterity-demo"
        let client: HTTPClient

        func titles(
            _ list: String = "trending/movie/week", _ extent: AmodbClient.Extent = .pages(1), language: String = "en-US",
            refresh: Bool = false
        ) async throws -> [Title] {
            // The stand-in's dates are the machine's, so the governor that reads them goes by the machine's clock.
            let governor = HostGovernor(client: client, clock: .system, log: log.log, timer: waits.timer)
            let amodb = AmodbClient(
                base: try WebAddress(standIn.apiURL), key: key.map { Secret($0) }, governor: governor, answers: answers.store,
                clock: clock.wallClock, log: log.log)
            return try await amodb.titles(in: try #require(ListPath(list)), extent: extent, language: language, refresh: refresh)
        }

        func failure(_ list: String = "trending/movie/week") async -> AmodbError? {
            await #expect(throws: AmodbError.self) { _ = try await titles(list) }
        }
    }

    private final class Waits: Sendable {
        private let kept = Mutex<(now: Duration, waits: [Duration])>((.zero, []))

        var all: [Duration] { kept.withLock(\.waits) }
        var timer: MonotonicTimer {
            MonotonicTimer(
                now: { self.kept.withLock(\.now) },
                sleep: { duration in
                    try Task.checkCancellation()
                    self.kept.withLock {
                        $0.now += duration
                        if duration > .zero { $0.waits.append(duration) }
                    }
                })
        }
    }

    private final class Answers: Sendable {
        private let kept = Mutex<[String: AnswerStore.Answer]>([:])

        var urls: [String] { kept.withLock { $0.keys.sorted() } }
        var store: AnswerStore {
            AnswerStore(
                load: { url in self.kept.withLock { $0[url] } }, save: { url, answer in self.kept.withLock { $0[url] = answer } })
        }
    }

    private func withBench(
        titles: Int? = 50, key: String? = "posterity-demo", _ options: StandInOptions = StandInOptions(),
        _ body: (Bench) async throws -> Void
    ) async throws {
        var options = options
        options.titles = titles
        options.imagesPort = 0
        try await StandIn.withStandIn(options) { standIn in
            try await HTTPClient.withClient(log: .silent) { client in
                try await body(Bench(standIn: standIn, key: key, client: client))
            }
        }
    }

    // MARK: - Extent

    @Test("Every list that the API documents can be read", arguments: ListPath.all.map(\.path))
    func everyList(path: String) async throws {
        try await withBench(titles: nil) { bench in
            let listed = try #require(bench.standIn.titles(in: path))
            let titles = try await bench.titles(path)
            #expect(titles.map(\.id) == listed.prefix(20).map(\.id))
            #expect(titles.map(\.mediaType) == listed.prefix(20).map(\.mediaType))
        }
    }

    @Test(
        "As many titles as asked for come from as many pages as that takes, in rank order",
        arguments: [(.pages(2), 40, 2), (.top(20), 20, 1), (.top(21), 21, 2), (.top(50), 50, 3)] as [(AmodbClient.Extent, Int, Int)])
    func extent(extent: AmodbClient.Extent, titles: Int, requests: Int) async throws {
        try await withBench { bench in
            let listed = try #require(bench.standIn.titles(in: "movie/popular"))
            #expect(try await bench.titles("movie/popular", extent).map(\.id) == listed.prefix(titles).map(\.id))
            #expect(bench.standIn.counts["api"] == requests)
            #expect(bench.log.lines(.warning).isEmpty)
        }
    }

    @Test("Fewer than asked for are all that there are, and a warning says so", arguments: [.pages(4), .top(60)] as [AmodbClient.Extent])
    func fewer(extent: AmodbClient.Extent) async throws {
        try await withBench { (bench) async throws in
            #expect(try await bench.titles("movie/popular", extent).count == 50)
            #expect(bench.log.lines(.warning).count == 1)
        }
    }

    @Test("--top goes on to a further page when titles show up twice")
    func topWithDuplicates() async throws {
        try await withBench { bench in
            try bench.standIn.addFaults("api path=trending json=duplicates")
            let titles = try await bench.titles("trending/movie/week", .top(30))
            #expect(Set(titles.map(\.id)).count == titles.count)
            #expect(titles.count == 30 || !bench.log.lines(.warning).isEmpty)
        }
    }

    @Test("Pages beyond those that the API shows are not asked for, whatever it says that there are")
    func impossiblePages() async throws {
        let log = LogBook()
        try await ScriptedServer.withServer(answer: { request, connection in
            let page = request.path.split(separator: "page=").last ?? ""
            return connection.send(body: Array("{\"results\": [{\"id\": \(page), \"title\": \"A\"}], \"total_pages\": 9000}".utf8))
        }) { server in
            try await HTTPClient.withClient(log: .silent) { client in
                let amodb = AmodbClient(
                    base: try WebAddress(server.url), key: Secret("k"),
                    governor: HostGovernor(client: client, clock: .system, log: .silent), answers: .none, clock: .system, log: log.log)
                let titles = try await amodb.titles(in: .trendingMoviesThisWeek, extent: .top(900), language: "en-US", refresh: false)
                #expect(titles.map(\.id) == Array(1...500))
                #expect(log.lines(.warning).count == 1)
            }
        }
    }

    @Test(
        "Empty pages and results that cannot be read are said, in good grammar",
        arguments: [
            (#"{"results": [], "total_pages": 3}"#, "page 1 of 3 is empty"),
            (#"{"results": [], "total_pages": 0}"#, "has 0 pages; 1 was asked for"),
            (#"{"results": [{"id": 5}, {"id": 6, "title": "A"}], "total_pages": 1}"#, "result 1 (id 5) of page 1"),
        ])
    func oddPages(body: String, words: String) async throws {
        let log = LogBook()
        try await ScriptedServer.withServer(answer: { _, connection in connection.send(body: Array(body.utf8)) }) { server in
            try await HTTPClient.withClient(log: .silent) { client in
                let amodb = AmodbClient(
                    base: try WebAddress(server.url), key: Secret("k"),
                    governor: HostGovernor(client: client, clock: .system, log: .silent), answers: .none, clock: .system, log: log.log)
                _ = try await amodb.titles(in: .trendingMoviesThisWeek, extent: .pages(1), language: "en-US", refresh: false)
            }
        }
        #expect(log.lines(.warning).count == 1)
        #expect(log.lines(.warning).first?.contains(words) == true, "\(log.lines(.warning))")
    }

    // MARK: - Refusals

    @Test(
        "A refused key, or a plan that is over, is final and says so",
        arguments: [("n0-such-key", .keyRefused), ("posterity-suspended", .keyRefused), ("posterity-expired", .planExpired)]
            as [(String, AmodbError.Code)])
    func refused(key: String, code: AmodbError.Code) async throws {
        try await withBench(key: key) { bench in
            let error = await bench.failure()
            #expect(error?.code == code)
            #expect(error?.detail.contains(key) == false, "a message never holds the key")
            #expect(bench.standIn.counts["api"] == 1)
            #expect(bench.waits.all.isEmpty)
        }
    }

    @Test("Without a key nothing is asked, and what is kept can still be read")
    func noKey() async throws {
        try await withBench(key: nil) { bench in
            #expect(await bench.failure()?.code == .keyMissing)
            #expect(bench.standIn.counts.isEmpty)
            var withKey = bench
            withKey.key = "posterity-demo"
            let titles = try await withKey.titles()
            #expect(try await bench.titles() == titles)
        }
    }

    @Test(
        "429 waits as Retry-After says, 5 s when it cannot be read, at most 30 s, and at most twice",
        arguments: [
            ("retry-after=2", 2.0), ("", 5), ("retry-after=", 5), ("retry-after=soon", 5), ("retry-after=-3", 5), ("retry-after=4000", 30),
        ])
    func throttled(retryAfter: String, seconds: Double) async throws {
        try await withBench { bench in
            try bench.standIn.addFaults("api status=429 \(retryAfter)")
            let error = await bench.failure()
            #expect(error?.code == .rateLimited)
            let advice = retryAfter == "retry-after=4000" ? "wait 4000 s" : retryAfter == "retry-after=2" ? "wait 2 s" : "wait a minute"
            #expect(error?.detail.contains(advice) == true)
            #expect(bench.standIn.counts["api 429"] == 3)
            #expect(bench.waits.all.count == 2)
            for wait in bench.waits.all { #expect(abs(wait / .seconds(1) - seconds) < 0.5, "\(bench.waits.all)") }
        }
    }

    @Test("A date in Retry-After counts as well")
    func throttledUntil() async throws {
        try await withBench { bench in
            try bench.standIn.addFaults("api first=1 status=429 retry-after=date+20")
            #expect(try await bench.titles().count == 20)
            let wait = try #require(bench.waits.all.first)
            #expect(wait > .seconds(10) && wait <= .seconds(21))
        }
    }

    @Test("A rate limit that passes costs a wait, and no titles", arguments: [1, 2])
    func passingLimit(times: Int) async throws {
        try await withBench { bench in
            try bench.standIn.addFaults("api first=\(times) status=429 retry-after=3")
            #expect(try await bench.titles().count == 20)
            #expect(bench.standIn.counts["api"] == times + 1)
        }
    }

    @Test("500 and 504 back off some times; then the status is shown", arguments: [500, 504])
    func serverError(status: Int) async throws {
        try await withBench { bench in
            try bench.standIn.addFaults("api status=\(status)")
            let error = await bench.failure()
            #expect(error?.code == .refused)
            #expect(error?.detail.contains("\(status)") == true)
            let requests = try #require(bench.standIn.counts["api"])
            #expect((2...5).contains(requests))
        }
    }

    @Test("A server error that passes costs no titles")
    func passingServerError() async throws {
        try await withBench { bench in
            try bench.standIn.addFaults("api first=2 status=504")
            #expect(try await bench.titles().count == 20)
        }
    }

    @Test("Other refusals are final", arguments: [(404, .listNotFound), (403, .refused), (418, .refused)] as [(Int, AmodbError.Code)])
    func otherRefusals(status: Int, code: AmodbError.Code) async throws {
        try await withBench { bench in
            try bench.standIn.addFaults("api status=\(status)")
            #expect(await bench.failure()?.code == code)
            #expect(bench.standIn.counts["api"] == 1)
        }
    }

    @Test("A host that is not there is an error that names it")
    func unreachable() async throws {
        try await withBench { bench in
            try bench.standIn.addFaults("api reset")
            let error = await bench.failure()
            #expect(error?.code == .unreachable)
            #expect(error?.cause != nil)
        }
    }

    // MARK: - Answers that are kept

    @Test("An answer is used again for 30 minutes, then asked for anew")
    func lifetime() async throws {
        try await withBench { bench in
            let titles = try await bench.titles()
            bench.clock.advance(by: AmodbClient.answerLifetime - 1)
            #expect(try await bench.titles() == titles)
            #expect(bench.standIn.counts["api"] == 1)
            bench.clock.advance(by: 1)
            _ = try await bench.titles()
            #expect(bench.standIn.counts["api"] == 2)
        }
    }

    @Test("A refresh, another language, and a clock that was set back ask anew")
    func anew() async throws {
        try await withBench { bench in
            _ = try await bench.titles()
            _ = try await bench.titles(refresh: true)
            #expect(bench.standIn.counts["api"] == 2)
            _ = try await bench.titles(language: "fr-FR")
            #expect(bench.standIn.counts["api"] == 3)
            bench.clock.advance(by: -1)
            _ = try await bench.titles()
            #expect(bench.standIn.counts["api"] == 4)
        }
    }

    @Test(
        "An answer that is no list is not kept", arguments: ["body=html", "json=truncated", "json=array", "json=no-results", "body=empty"])
    func broken(fault: String) async throws {
        try await withBench { bench in
            try bench.standIn.addFaults("api \(fault)")
            #expect(await bench.failure()?.code == .badAnswer)
            #expect(bench.answers.urls.isEmpty)
            bench.standIn.removeFaults()
            #expect(try await bench.titles().count == 20)
            #expect(bench.answers.urls.count == 1)
        }
    }

    @Test(
        "Spoilt results cost themselves and no others",
        arguments: ["json=wrong-types", "json=dates", "json=controls", "json=paths", "json=traversal"])
    func spoilt(fault: String) async throws {
        try await withBench { bench in
            try bench.standIn.addFaults("api \(fault)")
            #expect(try await bench.titles().isEmpty == false)
        }
    }

    @Test("The key goes into a header of the API's requests, and never into a URL that is kept")
    func key() async throws {
        try await withBench { bench in
            _ = try await bench.titles()
            #expect(bench.standIn.requests.allSatisfy { $0.hasAuthorization && !$0.target.contains("api_key") })
            #expect(bench.answers.urls.allSatisfy { !$0.contains("posterity-demo") })
        }
    }
}
