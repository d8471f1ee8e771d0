import Amodb
import Core
import FoundationEssentials
import Imaging
import Mirroring
import StandIn
import Storage
import TestSupport
import Testing
import Transfer

extension Workshop {
    /// Who is asked for details: answers are kept in the cache, as the program's are.
    fileprivate func detailsClient(_ pace: RequestPace = .unlimited, key: String? = "posterity-demo") throws -> AmodbClient {
        AmodbClient(
            base: try WebAddress(standIn.apiURL), key: key.map { Secret($0) }, governor: services.governor,
            answers: AnswerStore(
                load: { url in
                    try await cache.answer(for: url).map { AnswerStore.Answer(body: $0.body, fetchedAt: $0.fetchedAt) }
                }, save: { url, answer in try await cache.keep(StoredAnswer(url: url, body: answer.body, fetchedAt: answer.fetchedAt)) }),
            pace: pace, clock: clock.wallClock, log: log.log)
    }

    /// A run with details.
    fileprivate func mirrorDetails(
        _ pace: RequestPace = .unlimited, key: String? = "posterity-demo", _ change: (inout MirrorRequest) -> Void = { _ in },
        onEvent: @escaping @Sendable (MirrorEvent) -> Void = { _ in }
    ) async throws -> Mirror.Outcome {
        let request = try request {
            $0.details = [.credits, .ratings]
            change(&$0)
        }
        let plan = try await MirrorPlan(request, asking: amodb)
        let asking = MirrorServices(
            client: services.client, governor: services.governor, renderer: services.renderer, cache: cache, clock: services.clock,
            log: services.log, amodb: try detailsClient(pace, key: key))
        return try await Mirror(request, services: asking).run(plan, startedAt: clock.now, onEvent: onEvent)
    }

    /// Requests for titles since the last reset.
    fileprivate var titlesAsked: [String] {
        standIn.requests.map(\.target).filter { $0.contains("append_to_response") }.map { String($0.prefix { $0 != "?" }) }
    }
}

@Suite("Mirroring the details of titles")
struct DetailsTests {
    @Test("Each title is asked for once, however many lists it is in, and its details stand in the manifest wherever it does")
    func once() async throws {
        try await Workshop.with(titles: 4) { workshop in
            let outcome = try await workshop.mirrorDetails { $0.lists = [.trendingMoviesThisWeek, ListPath("movie/popular")!] }
            let manifest = try await workshop.manifest(of: outcome)
            #expect(workshop.titlesAsked.count == 4 && Set(workshop.titlesAsked).count == 4)
            #expect(manifest.details == ["credits", "ratings"] && manifest.titles.count == 8)
            for title in manifest.titles {
                let details = try #require(title.details)
                #expect(title.detailsMissing == nil && details.kept == nil && details.fetchedAt == workshop.clock.now)
                #expect(details.cast?.count == 5 && details.directors?.isEmpty == false && details.runtimeMinutes != nil)
                #expect(details.ratings?[.tmdb] != nil && details.genres.isEmpty == false)
            }
            #expect(outcome.summary.details?.fetched == 4 && outcome.summary.details?.titles == 4)
            #expect(outcome.summary.isComplete && outcome.detailsRefusal == nil)
            // What is written is what is read.
            let read = try await RunLibrary(workshop.cache).run(nil)
            #expect(read.titles == manifest.titles)
        }
    }

    @Test("Within a week nothing is asked again; after it, and with a refresh, all is")
    func week() async throws {
        try await Workshop.with { workshop in
            _ = try await workshop.mirrorDetails()
            workshop.standIn.reset()
            workshop.clock.advance(by: 7 * day - 1)
            let second = try await workshop.mirrorDetails()
            #expect(workshop.titlesAsked.isEmpty && second.summary.details?.fresh == 3)
            #expect(try await workshop.manifest(of: second).titles.allSatisfy { $0.details != nil })
            #expect(try await workshop.mirrorDetails { $0.details = [.ratings] }.summary.details?.fresh == 3, "less was asked for")
            #expect(try await workshop.mirrorDetails { $0.refresh = true }.summary.details?.fetched == 3)
            workshop.standIn.reset()
            workshop.clock.advance(by: 7 * day)
            #expect(try await workshop.mirrorDetails().summary.details?.fetched == 3)
            #expect(workshop.titlesAsked.count == 3)
        }
    }

    @Test("Pictures do not wait for the pace at which details may be asked for", .timeLimit(.minutes(3)))
    func picturesDoNotWait() async throws {
        try await Workshop.with { workshop in
            let (opened, open) = AsyncStream<Void>.makeStream()
            let isOpen = Mutex(false)
            // No title's turn comes before all pictures are done.
            let pace = RequestPace(
                perMinute: 1, log: .silent,
                sleep: { _ in
                    for await _ in opened { break }
                    try Task.checkCancellation()
                },
                reserve: { isOpen.withLock { $0 } ? nil : .seconds(60) })
            let events = Mutex<[String]>([])
            let outcome = try await workshop.mirrorDetails(
                pace,
                onEvent: { event in
                    switch event {
                    case .planned: break
                    case .finished: events.withLock { $0.append("picture") }
                    case .picturesDone:
                        events.withLock { $0.append("pictures done") }
                        isOpen.withLock { $0 = true }
                        open.finish()
                    case .detailsPlanned(let progress):
                        #expect(progress.toAsk == 3 && progress.wait == .seconds(2 * 62))
                    case .detailsFinished: events.withLock { $0.append("details") }
                    }
                })
            #expect(
                events.withLock { $0 } == Array(repeating: "picture", count: 3) + ["pictures done"] + Array(repeating: "details", count: 3))
            #expect(outcome.summary.fetched == 3 && outcome.summary.details?.fetched == 3)
            #expect(workshop.log.lines(.info).contains { $0.contains("3 titles") && $0.contains("2 minutes") && $0.contains("1 request") })
        }
    }

    @Test("How long three hundred titles take at twenty a minute is said before it begins: a quarter of an hour")
    func quarterOfAnHour() {
        #expect(Duration.seconds(15 * 62).inMinutes == "15 minutes" && Duration.seconds(62).inMinutes == "1 minute")
        #expect(Duration.seconds(500 * 62).inMinutes == "8 h 37 min")
    }

    @Test("A title that the API does not know has pictures, no details and the reason, and is asked for again a day later")
    func unknownTitle() async throws {
        try await Workshop.with { workshop in
            let id = try #require(workshop.standIn.titles(in: "trending/movie/week")?[1].id)
            try workshop.standIn.addFaults("api path=/3/movie/\(id) status=404")
            let outcome = try await workshop.mirrorDetails()
            let manifest = try await workshop.manifest(of: outcome)
            let titles = manifest.titles
            #expect(titles.map { $0.details == nil } == [false, true, false])
            #expect(titles[1].detailsMissing?.reason == .status(404) && titles[1].missing == nil && titles[1].poster?.sizes.count == 1)
            #expect(outcome.summary.isComplete, "its pictures are all there")
            #expect(outcome.summary.details?.missing == 1 && outcome.summary.details?.reasons == ["http-404": 1])
            #expect(workshop.log.lines(.warning).count { $0.contains("movie/\(id)") } == 1)
            workshop.standIn.reset()
            #expect(try await workshop.mirrorDetails().summary.details?.missing == 1)
            #expect(workshop.titlesAsked.isEmpty)
            #expect(try await workshop.mirrorDetails { $0.retryMissing = true }.summary.details?.fetched == 1)
        }
    }

    @Test("While the API fails, older details stand in and say so; where there are none the reason does, and the pictures are had")
    func failing() async throws {
        try await Workshop.with { workshop in
            let first = try await workshop.mirrorDetails { $0.extent = .top(2) }
            workshop.clock.advance(by: 8 * day)
            try workshop.standIn.addFaults("api path=/3/movie/ status=503")
            let outcome = try await workshop.mirrorDetails()
            let manifest = try await workshop.manifest(of: outcome)
            let titles = manifest.titles
            for (title, earlier) in zip(titles, try await workshop.manifest(of: first).titles) {
                #expect(title.details?.fetchedAt == earlier.details?.fetchedAt && title.details?.genres == earlier.details?.genres)
                #expect(title.details?.kept?.reason == .status(503) && title.detailsMissing == nil)
            }
            #expect(titles[2].details == nil && titles[2].detailsMissing?.reason == .status(503))
            #expect(outcome.summary.isComplete && outcome.isComplete && outcome.detailsRefusal == nil)
            #expect(outcome.summary.details?.kept == 2 && outcome.summary.details?.missing == 1)
            #expect(workshop.log.lines(.warning).contains { $0.contains("kept those of") })
        }
    }

    @Test(
        "When the key is refused, no other title is asked for, and pictures and manifest are there all the same",
        arguments: [(401, .keyRefused), (402, .planExpired), (429, .rateLimited)] as [(Int, AmodbError.Code)])
    func refused(status: Int, code: AmodbError.Code) async throws {
        try await Workshop.with(titles: 20) { workshop in
            try workshop.standIn.addFaults("api path=/3/movie/ after=4 status=\(status) retry-after=1")
            let outcome = try await workshop.mirrorDetails()
            #expect(outcome.detailsRefusal?.code == code)
            #expect(outcome.summary.fetched == 20 && outcome.summary.isComplete)
            #expect(outcome.summary.details?.fetched ?? 0 >= 1 && outcome.summary.details?.missing ?? 0 >= 12)
            #expect(outcome.summary.details?.reasons.keys.map(\.self) == ["http-\(status)"])
            // Those under way when it was refused, each with its retries, and no other.
            #expect(workshop.titlesAsked.count <= 4 + 4 * 3)
            workshop.standIn.reset()
            let next = try await workshop.mirrorDetails()
            #expect(next.detailsRefusal == nil && workshop.titlesAsked.count == outcome.summary.details?.missing)
        }
    }

    @Test("Without a key the pictures are had, and the details' absence says why")
    func noKey() async throws {
        try await Workshop.with { workshop in
            let outcome = try await workshop.mirrorDetails(key: nil)
            let manifest = try await workshop.manifest(of: outcome)
            #expect(outcome.detailsRefusal?.code == .keyMissing && outcome.summary.fetched == 3)
            #expect(manifest.titles.allSatisfy { $0.detailsMissing?.reason == .noKey })
        }
    }

    @Test("The deadline ends the asking too; what was not asked for says so, and the next run asks for it alone")
    func deadline() async throws {
        try await Workshop.with(titles: 6) { workshop in
            _ = try await workshop.mirrorDetails { $0.extent = .top(2) }
            try workshop.standIn.addFaults("api path=/3/movie/ delay=30000")
            let outcome = try await workshop.mirrorDetails { $0.deadline = Deadline(in: .milliseconds(400)) }
            let manifest = try await workshop.manifest(of: outcome)
            let titles = manifest.titles
            #expect(titles.prefix(2).allSatisfy { $0.details != nil })
            #expect(titles.dropFirst(2).allSatisfy { $0.details == nil && $0.detailsMissing?.reason == .interrupted })
            #expect(workshop.log.lines(.warning).contains { $0.contains("the details of 4 of 6 titles") })
            workshop.standIn.reset()
            #expect(try await workshop.mirrorDetails().summary.details?.fetched == 4)
            #expect(workshop.titlesAsked.count == 4)
        }
    }

    @Test("A cancelled run keeps what it had, and the next asks only for the rest")
    func cancelled() async throws {
        try await Workshop.with(titles: 20) { workshop in
            let (finished, finish) = AsyncStream<Void>.makeStream()
            // From the seventh on no title is answered.
            try workshop.standIn.addFaults("api path=/3/movie/ after=6 delay=60000")
            let run = Task {
                try await workshop.mirrorDetails(onEvent: { if case .detailsFinished = $0 { finish.yield() } })
            }
            var count = 0
            for await _ in finished {
                count += 1
                if count == 6 { break }
            }
            run.cancel()
            await #expect(throws: CancellationError.self) { _ = try await run.value }
            workshop.standIn.reset()
            let next = try await workshop.mirrorDetails()
            #expect(next.summary.details?.fresh == 6 && next.summary.details?.fetched == 14)
            #expect(workshop.titlesAsked.count == 14)
        }
    }

    @Test("A preview counts what the run then asks for, and how long that waits")
    func preview() async throws {
        try await Workshop.with(titles: 10) { workshop in
            _ = try await workshop.mirrorDetails { $0.extent = .top(4) }
            let request = try workshop.request { $0.details = [.credits, .ratings] }
            let plan = try await MirrorPlan(request, asking: workshop.amodb)
            var preview = try await workshop.preview()
            #expect(preview.details == nil)
            let pace = RequestPace(perMinute: 2, log: .silent, counted: { 1 }, reserve: { nil })
            try await preview.addDetails(
                of: plan, request: request, asking: try workshop.detailsClient(pace), at: workshop.clock.now, failures: { _ in [:] })
            let details = try #require(preview.details)
            #expect((details.titles, details.toAsk, details.settled) == (10, 6, 4))
            #expect(details.waitSeconds == 3 * 62 && details.requestsPerMinute == 2)
            workshop.standIn.reset()
            #expect(try await workshop.mirrorDetails().summary.details?.fetched == preview.details?.toAsk)
        }
    }

    @Test("A run without details has none in its manifest, and manifests from before there were any are read as before")
    func without() async throws {
        try await Workshop.with { workshop in
            let outcome = try await workshop.mirror()
            let manifest = try await workshop.manifest(of: outcome)
            #expect(manifest.details == nil && outcome.summary.details == nil && workshop.titlesAsked.isEmpty)
            var text = String(decoding: JSONText.encode(manifest), as: UTF8.self)
            #expect(text.contains("\"details\": null") && !text.contains("detailsMissing"))
            text = text.replacing("      \"details\": null,\n", with: "")
            #expect(!text.contains("details"))
            #expect(try JSONText.decode(Manifest.self, from: Array(text.utf8)) == manifest)
        }
    }

    @Test("Runs with and without details can be compared; ratings that changed are no other pictures")
    func comparison() async throws {
        try await Workshop.with { workshop in
            let before = try await workshop.mirroredManifest()
            workshop.clock.advance(by: 60)
            let after = try await workshop.manifest(of: workshop.mirrorDetails())
            let comparison = RunComparison(from: before, to: after)
            #expect(comparison.added.isEmpty && comparison.gone.isEmpty && comparison.changedPictures.isEmpty)
        }
    }

    @Test("What a run was asked for, one that goes on from it asks for as well, and lacks what that lacked")
    func retry() async throws {
        try await Workshop.with { workshop in
            let id = try #require(workshop.standIn.titles(in: "trending/movie/week")?[2].id)
            try workshop.standIn.addFaults("api path=/3/movie/\(id) status=500")
            let run = try await workshop.manifest(of: workshop.mirrorDetails { $0.details = [.ratings] })
            var request = try workshop.request()
            request.takeOverDetails(of: run)
            #expect(request.details == [.ratings])
            #expect(MirrorPlan(titlesOf: run, request: request).lacksDetails(in: run))
            workshop.standIn.removeFaults()
            let whole = try await workshop.manifest(of: workshop.mirrorDetails { $0.details = [.ratings] })
            #expect(!MirrorPlan(titlesOf: whole, request: request).lacksDetails(in: whole))
        }
    }
}
