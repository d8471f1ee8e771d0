import Amodb
import Core
import FoundationEssentials
import Imaging
import Mirroring
import StandIn
import Storage
import TestSupport
import Transfer

/// Everything that a run works with, in this process: a stand-in, an empty cache, and a clock that the test sets.
struct Workshop {
    let standIn: StandIn
    let cache: Cache
    let clock: SettableClock
    let log: LogBook
    let services: MirrorServices
    let amodb: AmodbClient

    static func with<Value>(
        titles: Int = 3, _ options: StandInOptions = StandInOptions(), _ body: (Workshop) async throws -> Value
    ) async throws -> Value {
        var options = options
        options.titles = titles
        options.imagesPort = 0
        let (clock, log) = (SettableClock(), LogBook())
        return try await withTemporaryDirectory { directory in
            try await StandIn.withStandIn(options) { standIn in
                try await Cache.withCache(at: directory + "/cache", access: .readWrite, clock: clock.wallClock, log: log.log) { cache in
                    try await HTTPClient.withClient(log: log.log) { client in
                        try await Renderer.withRenderer(threads: 2) { renderer in
                            let governor = HostGovernor(client: client, clock: clock.wallClock, log: log.log, timer: .immediate)
                            let amodb = AmodbClient(
                                base: try WebAddress(standIn.apiURL), key: Secret("posterity-demo"), governor: governor, answers: .none,
                                clock: clock.wallClock, log: log.log)
                            let services = MirrorServices(
                                client: client, governor: governor, renderer: renderer, cache: cache, clock: clock.wallClock, log: log.log)
                            return try await body(
                                Workshop(standIn: standIn, cache: cache, clock: clock, log: log, services: services, amodb: amodb))
                        }
                    }
                }
            }
        }
    }

    /// A request for small pictures of the stand-in's.
    func request(_ change: (inout MirrorRequest) -> Void = { _ in }) throws -> MirrorRequest {
        var request = MirrorRequest(images: try WebAddress(standIn.imagesURL))
        request.sizes = ["w92"].compactMap(PosterSize.init)
        change(&request)
        return request
    }

    /// One run.
    func mirror(_ change: (inout MirrorRequest) -> Void = { _ in }) async throws -> Mirror.Outcome {
        let request = try request(change)
        let plan = try await MirrorPlan(request, asking: amodb)
        return try await Mirror(request, services: services).run(plan, startedAt: clock.now) { _ in }
    }

    /// What a run left behind.
    func manifest(of outcome: Mirror.Outcome) async throws -> Manifest {
        try await RunLibrary(cache).run(outcome.run)
    }

    func mirroredManifest() async throws -> Manifest {
        try await manifest(of: mirror())
    }

    /// One run with another renderer.
    func mirror(limits: ImageLimits, _ change: (inout MirrorRequest) -> Void) async throws -> Mirror.Outcome {
        try await Renderer.withRenderer(threads: 1, limits: limits) { renderer in
            let others = MirrorServices(
                client: services.client, governor: services.governor, renderer: renderer, cache: cache, clock: services.clock,
                log: services.log)
            let workshop = Workshop(standIn: standIn, cache: cache, clock: clock, log: log, services: others, amodb: amodb)
            return try await workshop.mirror(change)
        }
    }

    /// What a run would do.
    func preview(_ change: (inout MirrorRequest) -> Void = { _ in }) async throws -> MirrorPreview {
        let request = try request(change)
        let plan = try await MirrorPlan(request, asking: amodb)
        let urls = plan.pictures.map(\.url.text)
        return MirrorPreview(
            of: plan, request: request, known: try await cache.sources(of: urls), earlier: try await cache.failures(of: urls),
            at: clock.now)
    }

    /// Image requests since the last call, by status.
    func imageRequests() -> [Int: Int] {
        defer { standIn.reset() }
        var counts: [Int: Int] = [:]
        for request in standIn.requests where request.area == "images" { counts[request.status, default: 0] += 1 }
        return counts
    }
}

extension MonotonicTimer {
    /// Waits for nothing.
    static let immediate = MonotonicTimer(now: MonotonicTimer.system.now, sleep: { _ in try Task.checkCancellation() })
}

let day = 86_400.0
