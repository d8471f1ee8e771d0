import Amodb
import Core
import FoundationEssentials
import Glibc
import Imaging
import Mirroring
import Storage
import struct Synchronization.Atomic
import TestSupport
import Testing
import Transfer

@Suite("What a run holds at once, and how it ends")
struct BoundsTests {
    /// Counts the requests that are being answered.
    private final class Gauge: Sendable {
        private let counts = Mutex((now: 0, most: 0))

        var most: Int { counts.withLock(\.most) }

        func enter() {
            counts.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
        }

        func leave() { counts.withLock { $0.now -= 1 } }
    }

    /// Runs `body` with a mirror of so many pictures of a host that answers slowly.
    private func withSlowHost(
        pictures: Int, milliseconds: UInt32, _ limits: MirrorLimits, _ body: (Mirror, MirrorPlan, Gauge, Cache) async throws -> Void
    ) async throws {
        let gauge = Gauge()
        try await Workshop.with(titles: 1) { workshop in
            let pixels = PixelBuffer(widthPixels: 40, heightPixels: 60, rgba: Array(repeating: 200, count: 40 * 60 * 4))
            let jpeg = try await workshop.services.renderer.encode(pixels, as: .jpeg)
            try await ScriptedServer.withServer(answer: { _, connection in
                gauge.enter()
                usleep(milliseconds * 1_000)
                gauge.leave()
                return connection.send(body: jpeg)
            }) { server in
                var request = MirrorRequest(images: try WebAddress(server.url))
                request.sizes = ["w40"].compactMap(PosterSize.init)
                request.limits = limits
                let titles = (1...pictures).map {
                    Title(id: $0, mediaType: "movie", title: "Vardelund \($0)", year: nil, score: nil, posterPath: "/\($0).jpg")
                }
                let plan = MirrorPlan(titles: [(.trendingMoviesThisWeek, titles)], request: request)
                try await body(Mirror(request, services: workshop.services), plan, gauge, workshop.cache)
            }
        }
    }

    @Test("Downloads in flight never exceed their limit", arguments: [1, 3])
    func downloads(limit: Int) async throws {
        var limits = MirrorLimits()
        limits.downloads = limit
        try await withSlowHost(pictures: 20, milliseconds: 20, limits) { mirror, plan, gauge, _ in
            let outcome = try await mirror.run(plan, startedAt: Date()) { _ in }
            #expect(outcome.summary.fetched == 20)
            #expect(gauge.most == limit)
        }
    }

    @Test("Bytes held bound the downloads as well, by what each may grow to")
    func bytesHeld() async throws {
        var limits = MirrorLimits()
        limits.bytesHeld = ByteCount(limits.posterBytes.bytes * 2)
        try await withSlowHost(pictures: 20, milliseconds: 20, limits) { (mirror, plan, gauge, _) async throws in
            #expect(try await mirror.run(plan, startedAt: Date()) { _ in }.summary.fetched == 20)
            #expect(gauge.most <= 2)
        }
    }

    @Test("A limit below a single picture lets them through one by one")
    func tinyLimits() async throws {
        var limits = MirrorLimits()
        limits.bytesHeld = ByteCount(1)
        limits.pixelsHeld = 1
        try await withSlowHost(pictures: 8, milliseconds: 1, limits) { (mirror, plan, gauge, _) async throws in
            #expect(try await mirror.run(plan, startedAt: Date()) { _ in }.summary.fetched == 8)
            #expect(gauge.most == 1)
        }
    }

    @Test("A picture larger than a poster may be is refused while it arrives")
    func tooLarge() async throws {
        var limits = MirrorLimits()
        limits.posterBytes = ByteCount(100)
        try await withSlowHost(pictures: 2, milliseconds: 1, limits) { (mirror, plan, _, _) async throws in
            #expect(try await mirror.run(plan, startedAt: Date()) { _ in }.summary.reasons == ["too-many-bytes": 2])
        }
    }

    @Test("A cancelled run keeps what it had, durably, and the next one goes on from there")
    func cancelled() async throws {
        var limits = MirrorLimits()
        limits.downloads = 2
        try await withSlowHost(pictures: 60, milliseconds: 10, limits) { mirror, plan, _, cache in
            let finished = Atomic(0)
            let task = Task {
                try await mirror.run(plan, startedAt: Date()) { event in
                    if case .finished = event { finished.add(1, ordering: .relaxed) }
                }
            }
            while finished.load(ordering: .relaxed) < 10 { try await Task.sleep(for: .milliseconds(2)) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            let count = finished.load(ordering: .relaxed)
            #expect(count < 60)
            #expect(try await cache.sources(of: plan.pictures.map(\.url.text)).count >= count)
            #expect(try await cache.runNames().isEmpty, "a run that did not end has no manifest")
            let next = try await mirror.run(plan, startedAt: Date()) { _ in }
            #expect(next.summary.fresh >= count)
            #expect(next.summary.fresh + next.summary.fetched == 60)
        }
    }

    @Test(
        "A path that no URL may be built from is named with its title and why, as an error where only errors are shown",
        arguments: [true, false])
    func refusedPath(areErrors: Bool) async throws {
        try await Workshop.with(titles: 1) { workshop in
            let request = try workshop.request { $0.saysFailuresAsErrors = areErrors }
            let titles = [1, 2].map {
                Title(id: $0, mediaType: "movie", title: "Vardelund \($0)", year: nil, score: nil, posterPath: "/..%2f..%2f\($0).jpg")
            }
            let plan = MirrorPlan(titles: [(.trendingMoviesThisWeek, titles)], request: request)
            let outcome = try await Mirror(request, services: workshop.services).run(plan, startedAt: workshop.clock.now) { _ in }
            #expect(outcome.summary.reasons == ["bad-path": 2])
            let lines = workshop.log.lines(areErrors ? .error : .warning)
            #expect(lines.count == 2)
            #expect(lines.first?.contains("\"Vardelund 1\"") == true && lines.first?.contains("/..%2f..%2f1.jpg") == true, "\(lines)")
        }
    }

    @Test("Events tell the plan first, then each picture once")
    func events() async throws {
        try await withSlowHost(pictures: 12, milliseconds: 1, MirrorLimits()) { mirror, plan, _, _ in
            let events = Mutex<[MirrorEvent]>([])
            _ = try await mirror.run(plan, startedAt: Date()) { event in events.withLock { $0.append(event) } }
            let seen = events.withLock { $0 }
            guard case .planned(titles: 12, pictures: 12)? = seen.first else {
                Issue.record("the plan does not come first")
                return
            }
            #expect(seen.count == 13)
        }
    }
}
