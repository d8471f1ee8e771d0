internal import Core
internal import Imaging
internal import Storage
internal import Transfer

/// Sees to all pictures of a run: looks them up a stretch at a time, passes over what needs nothing, and works on the rest, many at once.
///
/// One stretch is looked up while the one before it is worked on, and no stretch waits for another's slowest picture.
struct Gallery: Sendable {
    private enum Step: Sendable {
        case lookedUp(Stretch)
        case seen(MirrorPlan.Place, PictureWorker.Result)
    }

    /// Pictures that have been looked up and not yet been begun.
    private struct Stretch: Sendable {
        var pictures: ArraySlice<MirrorPlan.Picture>
        let known: [String: SourceRecord]
        let earlier: [String: FailureRecord]
    }

    private let plan: MirrorPlan
    private let cache: Cache
    private let worker: PictureWorker
    private let watchdog: Watchdog
    private let deadline: Deadline?
    /// Pictures worked on at once. Beyond the downloads in flight, a few may be waiting for a render thread; more would only hold memory.
    private let limit: Int

    init(_ plan: MirrorPlan, request: MirrorRequest, recipes: RecipeBook, services: MirrorServices, complaints: Complaints) {
        self.plan = plan
        cache = services.cache
        watchdog = Watchdog(log: services.log)
        worker = PictureWorker(request: request, recipes: recipes, services: services, watchdog: watchdog, complaints: complaints)
        deadline = request.deadline
        limit = request.limits.downloads + 2 * services.renderer.threadCount
    }

    /// Adds what becomes of each picture to `record`; of fewer than all when the deadline comes first.
    func seeToAll(record: RunRecord, onEvent: @escaping @Sendable (MirrorEvent) -> Void) async throws {
        let work: @Sendable () async throws -> Void = { try await seeToStretches(record: record, onEvent: onEvent) }
        async let _ = watchdog.keepLooking()
        if let deadline { _ = try await deadline.run(work) } else { try await work() }
    }

    // MARK: - Private

    private func seeToStretches(record: RunRecord, onEvent: @Sendable (MirrorEvent) -> Void) async throws {
        try await withThrowingTaskGroup(of: Step.self) { group in
            var unseen = plan.stretches[...]
            var stretches: [Stretch] = []
            var (isLookingUp, running) = (false, 0)
            func finish(_ result: PictureWorker.Result, at place: MirrorPlan.Place) async throws {
                try await record.add(result, at: place)
                onEvent(.finished(result.outcome, bytes: ByteCount(result.bytes)))
            }
            func lookAhead() {
                guard !isLookingUp, stretches.count < 2, let range = unseen.popFirst() else { return }
                isLookingUp = true
                group.addTask { .lookedUp(try await lookUp(range)) }
            }

            lookAhead()
            while let step = try await group.next() {
                switch step {
                case .lookedUp(let stretch):
                    isLookingUp = false
                    stretches.append(stretch)
                case .seen(let place, let result):
                    running -= 1
                    try await finish(result, at: place)
                }
                lookAhead()
                while running < limit, !stretches.isEmpty {
                    guard let picture = stretches[0].pictures.popFirst() else {
                        stretches.removeFirst()
                        lookAhead()
                        try Task.checkCancellation()
                        continue
                    }
                    let url = picture.url.text
                    let (known, earlier) = (stretches[0].known[url], stretches[0].earlier[url])
                    if let result = worker.settled(picture, known: known, earlier: earlier) {
                        try await finish(result, at: picture.place)
                    } else {
                        running += 1
                        group.addTask { .seen(picture.place, try await worker.see(to: picture, known: known, earlier: earlier)) }
                    }
                }
            }
        }
    }

    private func lookUp(_ range: Range<Int>) async throws -> Stretch {
        let pictures = plan.pictures(of: range)
        let urls = pictures.map(\.url.text)
        return Stretch(
            pictures: pictures[...], known: try await cache.sources(of: urls), earlier: try await cache.failures(of: urls))
    }
}
