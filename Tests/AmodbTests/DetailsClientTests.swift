import Amodb
import Core
import FoundationEssentials
import StandIn
import TestSupport
import Testing
import Transfer

@Suite("Asking for the details of titles")
struct DetailsClientTests {
    /// A client before a stand-in, with answers kept in memory and a clock that the test sets.
    private struct Bench {
        let standIn: StandIn
        let client: HTTPClient
        let clock = SettableClock()
        let answers = Answers()
        var key: String? = "posterity-demo"

        func amodb(_ pace: RequestPace = .unlimited) throws -> AmodbClient {
            let timer = MonotonicTimer(now: MonotonicTimer.system.now, sleep: { _ in try Task.checkCancellation() })
            return AmodbClient(
                base: try WebAddress(standIn.apiURL), key: key.map { Secret($0) },
                governor: HostGovernor(client: client, clock: .system, log: .silent, timer: timer), answers: answers.store, pace: pace,
                clock: clock.wallClock, log: .silent)
        }

        func title(_ list: String = "movie/popular", at place: Int = 0) throws -> TitleID {
            let listed = try #require(standIn.titles(in: list)?[place])
            return TitleID(mediaType: listed.mediaType, id: listed.id)
        }

        var asked: [String] { standIn.requests.map(\.target) }
    }

    private final class Answers: Sendable {
        private let kept = Mutex<[String: AnswerStore.Answer]>([:])

        var all: [String: AnswerStore.Answer] { kept.withLock { $0 } }
        var store: AnswerStore {
            AnswerStore(
                load: { url in self.kept.withLock { $0[url] } }, save: { url, answer in self.kept.withLock { $0[url] = answer } })
        }
    }

    private func withBench(key: String? = "posterity-demo", _ body: (Bench) async throws -> Void) async throws {
        try await StandIn.withStandIn(StandInOptions()) { standIn in
            try await HTTPClient.withClient(log: .silent) { client in
                try await body(Bench(standIn: standIn, client: client, key: key))
            }
        }
    }

    @Test("A movie's and a series' details come in one request each, with what was asked for")
    func oneRequest() async throws {
        try await withBench { bench in
            let amodb = try bench.amodb()
            for list in ["movie/popular", "tv/popular"] {
                let title = try bench.title(list)
                let found = try await amodb.details(of: title, [.ratings, .credits], language: "en-US")
                #expect(found.details.runtimeMinutes != nil && !found.details.genres.isEmpty)
                #expect(found.details.cast?.count == 5 && found.details.directors?.isEmpty == false && found.details.ratings != nil)
                #expect(
                    bench.asked.last == "/3/\(title)?append_to_response=credits%2Cratings&language=en-US",
                    "in one order, however it was said")
            }
            #expect(bench.asked.count == 2)
            #expect(bench.standIn.requests.allSatisfy { $0.hasAuthorization })
        }
    }

    @Test("What was had is kept for a week, under a name without the key, and is small whatever the answer was")
    func kept() async throws {
        try await withBench { bench in
            let amodb = try bench.amodb()
            let title = try bench.title()
            #expect(try await amodb.keptDetails(of: title, [.ratings], language: "en-US") == nil)
            let found = try await amodb.details(of: title, [.credits, .ratings], language: "en-US")
            let kept = try #require(try await amodb.keptDetails(of: title, [.credits, .ratings], language: "en-US"))
            #expect(kept == found && amodb.isFresh(kept))
            #expect(try await amodb.keptDetails(of: title, [.credits, .ratings], language: "de-DE") == nil)
            bench.clock.advance(by: AmodbClient.detailsLifetime - 1)
            #expect(amodb.isFresh(kept))
            bench.clock.advance(by: 1)
            #expect(!amodb.isFresh(kept), "a week is over")
            bench.clock.advance(by: -2 * AmodbClient.detailsLifetime)
            #expect(!amodb.isFresh(kept), "the clock was set back, so its age is unknown")
            #expect(bench.answers.all.allSatisfy { !$0.key.contains("posterity-demo") && $0.value.body.count < 2_000 })
        }
    }

    @Test("An answer with more than is wanted will do, one with less will not")
    func more() async throws {
        try await withBench { bench in
            let amodb = try bench.amodb()
            let title = try bench.title()
            _ = try await amodb.details(of: title, [.ratings], language: "en-US")
            #expect(try await amodb.keptDetails(of: title, [.credits], language: "en-US") == nil)
            #expect(try await amodb.keptDetails(of: title, [.credits, .ratings], language: "en-US") == nil)
            bench.clock.advance(by: 60)
            let both = try await amodb.details(of: title, [.credits, .ratings], language: "en-US")
            let ratings = try #require(try await amodb.keptDetails(of: title, [.ratings], language: "en-US"))
            #expect(ratings.fetchedAt == both.fetchedAt && ratings.details.directors == nil && ratings.details.ratings != nil)
        }
    }

    @Test(
        "A refusal says what is refused, and whether it is about the key",
        arguments: [
            ("api status=401", .keyRefused, true), ("api status=402", .planExpired, true), ("api status=429", .rateLimited, true),
            ("api status=404", .titleNotFound, false), ("api status=500", .refused, false), ("api reset", .unreachable, false),
            ("api body=html", .badAnswer, false), ("api body=json", .badAnswer, false), ("api json=truncated", .badAnswer, false),
            ("api json=array", .badAnswer, false),
        ] as [(String, AmodbError.Code, Bool)])
    func refused(fault: String, code: AmodbError.Code, isAboutKey: Bool) async throws {
        try await withBench { bench in
            try bench.standIn.addFaults(fault)
            let title = try bench.title()
            let amodb = try bench.amodb()
            let error = await #expect(throws: AmodbError.self) { _ = try await amodb.details(of: title, [.ratings], language: "en-US") }
            #expect(error?.code == code && error?.isAboutKey == isAboutKey)
            #expect(isAboutKey || error?.detail.contains("\(title)") == true, "\(error?.detail ?? "")")
            #expect(bench.answers.all.isEmpty, "nothing broken is kept")
        }
    }

    @Test("Spoilt fields cost themselves alone", arguments: ["api json=wrong-types", "api json=controls", "api json=deep"])
    func spoilt(fault: String) async throws {
        try await withBench { bench in
            try bench.standIn.addFaults(fault)
            do {
                let found = try await bench.amodb().details(of: try bench.title(), [.credits, .ratings], language: "en-US").details
                #expect(!found.genres.isEmpty && found.cast?.isEmpty == false)
                let texts = found.genres + (found.directors ?? []) + (found.cast ?? []).flatMap { [$0.name, $0.character ?? "-"] }
                #expect(texts.allSatisfy { !$0.isEmpty && $0.printable == $0 })
            } catch let error as AmodbError {
                #expect(fault.hasSuffix("deep") && error.code == .badAnswer)
            }
        }
    }

    @Test("Each of the fourteen languages has titles of its own; any other is answered in English")
    func languages() async throws {
        #expect(Language.all.count == 14 && Set(Language.all.map(\.tag)).count == 14)
        #expect(Language.of("pt-BR")?.tag == "pt" && Language.of("DE")?.tag == "de")
        for tag in ["xx-XX", "uk", "ger", "e", ""] { #expect(Language.of(tag) == nil, "\(tag)") }
        try await withBench { bench in
            func titles(_ tag: String) -> [String]? { bench.standIn.titles(in: "movie/popular", language: tag)?.map(\.title) }
            let english = titles("en-US")
            for language in Language.all where language.tag != "en" { #expect(titles(language.tag) != english, "\(language.tag)") }
            for other in ["uk-UA", "nl", "xx-XX"] { #expect(titles(other) == english, "\(other)") }
        }
    }

    @Test(
        "How long many requests wait follows from the plan and from what was sent in the last minute",
        arguments: [
            (20, 0, 20, 0), (20, 0, 21, 62), (20, 0, 300, 14 * 62), (20, 15, 300, 15 * 62), (20, 20, 1, 62), (40, 0, 300, 7 * 62),
            (120, 90, 30, 0), (20, 900, 1, 62), (20, 20, 0, 0),
        ])
    func wait(perMinute: Int, sent: Int, count: Int, seconds: Int) async throws {
        let pace = RequestPace(perMinute: perMinute, log: .silent, counted: { sent }, reserve: { nil })
        #expect(try await pace.wait(forRequests: count) == .seconds(seconds))
        #expect(try await RequestPace.unlimited.wait(forRequests: count) == nil)
    }

    @Test("The estimate is what the wait then is")
    func honest() async throws {
        let clock = SettableClock()
        let times = Mutex<[Date]>([])
        let start = clock.now
        let pace = RequestPace(
            perMinute: 20, log: .silent, sleep: { wait in clock.advance(by: wait / .seconds(1)) },
            counted: { times.withLock { times in times.count { clock.now.timeIntervalSince($0) < 62 } } },
            reserve: {
                times.withLock { times in
                    let recent = times.filter { clock.now.timeIntervalSince($0) < 62 }
                    guard recent.count >= 20 else {
                        times.append(clock.now)
                        return nil
                    }
                    return .seconds(62 - clock.now.timeIntervalSince(recent[0]))
                }
            })
        let estimate = try #require(try await pace.wait(forRequests: 300))
        for _ in 0..<300 { try await pace.waitForTurn(saying: false) }
        #expect(abs(clock.now.timeIntervalSince(start) - estimate / .seconds(1)) < 1)
    }
}
