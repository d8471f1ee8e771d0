internal import Amodb
internal import Core
internal import FoundationEssentials
internal import Imaging
internal import Mirroring
internal import Storage
internal import Synchronization
internal import Transfer

extension Verb {
    private static let lists = Positional<[ListPath]>.any(
        "LIST", .list, default: [.trendingMoviesThisWeek], "Lists of the API, by their paths")

    /// `posterity mirror [LIST…]`.
    static let mirror = Verb(
        "mirror", "Mirror the posters of lists into the cache",
        discussion: """
            Asks the movie API for the titles of each list, fetches every poster in every size, verifies it, makes renditions of it, and keeps
            all of it in the cache, with a manifest of the run. What is fresh is not asked for again, so running it once more costs little.

            One poster that cannot be had never stops the others, and never replaces a good one. The exit code is 3 when a picture that
            exists could not be had, 4 when the API refuses the key, 5 when its rate limit is reached, 6 when the cache is in trouble.

            With --details each title is asked for too, at the pace of --requests-per-minute, beside the pictures; the answers are kept for a
            week, and a run that was stopped asks only for those that it lacks. Details that cannot be had do not change the exit code,
            unless the key is refused or its rate limit reached.
            """,
        positionals: [lists],
        flags: [
            Flags.pages, Flags.top, Flags.sizes, Flags.language, Flags.details, Flags.recipe, Flags.deriveFrom, Flags.cache, Flags.refresh,
            Flags.retryMissing, Flags.retryFailed, Flags.deadline, Flags.renderThreads, Flags.dryRun, Flags.json,
        ] + Network.flags,
        exclusive: [[Flags.pages, Flags.top], [Flags.retryFailed, Flags.refresh]],
        examples: [
            Example("posterity mirror", "This week's trending movies:"),
            Example("posterity mirror movie/popular tv/popular --top 100", "The hundred most popular movies and series:"),
            Example("posterity mirror --details credits,ratings", "With directors, casts and ratings:"),
            Example("posterity mirror --retry-failed --deadline 10m", "Once more what failed, for ten minutes at most:"),
            Example("posterity mirror --derive-from w500 --recipe cover,92x138,radius=6,webp", "One download a poster, small thumbnails:"),
        ]
    ) { arguments, context in
        try await Network.withNetwork(arguments, context) { network in
            let request = try mirrorRequest(arguments, network)
            if Language.of(request.language) == nil {
                context.log.info(
                    "\(request.language) is none of the API's languages, which `posterity languages` lists; it answers in English")
            }
            if arguments[Flags.dryRun] { return try await preview(request, network, arguments, context) }
            return try await mirror(request, network, arguments, context)
        }
    }

    private static func mirrorRequest(_ arguments: Arguments, _ network: Network) throws -> MirrorRequest {
        var request = MirrorRequest(images: network.images)
        request.lists = arguments[lists].withoutDuplicates
        request.extent = arguments[Flags.top].map { .top($0) } ?? .pages(arguments[Flags.pages] ?? 1)
        request.sizes = arguments[Flags.sizes]
        request.language = arguments[Flags.language]
        request.details = arguments[Flags.details]
        if !arguments[Flags.recipe].isEmpty { request.recipes = arguments[Flags.recipe].withoutDuplicates }
        request.deriveFrom = arguments[Flags.deriveFrom]
        request.refresh = arguments[Flags.refresh]
        request.saysFailuresAsErrors = arguments[Flags.quiet]
        request.retryMissing = arguments[Flags.retryMissing]
        request.deadline = arguments[Flags.deadline].map { Deadline(in: $0) }
        request.limits.downloads = arguments[Flags.concurrency]
        return request
    }

    private static func mirror(
        _ request: MirrorRequest, _ network: Network, _ arguments: Arguments, _ context: Context
    ) async throws -> ExitCode {
        let startedAt = Date()
        let root = arguments[Flags.cache]
        let outcome = try await Cache.withCache(at: root, access: .readWrite, clock: .system, log: context.log) { cache in
            // Waiting for another mirror of the same list is part of the time that a deadline leaves.
            try await cache.withListLocks(request.lists.map(\.path), until: request.deadline?.instant) {
                try await mirror(request, into: cache, startedAt, network, arguments, context)
            }
        }
        guard let outcome else { return .done }
        let report = MirrorReport(outcome, cacheRoot: root)
        if arguments[Flags.json] {
            try context.output.write(report.json())
        } else if !arguments[Flags.quiet] {
            try context.output.write(report.text)
        }
        if let refusal = outcome.detailsRefusal { throw refusal }
        return outcome.summary.isComplete && outcome.isComplete ? .done : .incomplete
    }

    /// - Returns: nil when there is nothing to do.
    private static func mirror(
        _ request: MirrorRequest, into cache: Cache, _ startedAt: Date, _ network: Network, _ arguments: Arguments, _ context: Context
    ) async throws -> Mirror.Outcome? {
        let amodb = network.amodb(cache)
        let readPlan: @Sendable () async throws -> Job = { [request] in try await planned(request, of: cache, asking: amodb, arguments) }
        let job: Job
        if let deadline = request.deadline {
            guard let read = try await deadline.run(readPlan) else { throw DeadlinePassed(deadline) }
            job = read
        } else {
            job = try await readPlan()
        }
        guard !job.isEmpty else {
            context.log.info("nothing failed in the latest run; there is nothing to try again")
            return nil
        }
        return try await Renderer.withRenderer(threads: arguments[Flags.renderThreads]) { renderer in
            let services = MirrorServices(
                client: network.client, governor: network.governor, renderer: renderer, cache: cache, clock: .system, log: context.log,
                amodb: amodb)
            return try await run(Mirror(job.request, services: services), job.plan, startedAt, context)
        }
    }

    /// What a run is to do, once it is known.
    private struct Job: Sendable {
        var request: MirrorRequest
        let plan: MirrorPlan
        /// Whether there is nothing that an earlier run has left to do.
        var isEmpty = false
    }

    /// What there is to see to: by the API, or with `--retry-failed` by the latest run, which then also says what failed.
    private static func planned(
        _ request: MirrorRequest, of cache: Cache, asking amodb: AmodbClient, _ arguments: Arguments
    ) async throws -> Job {
        guard arguments[Flags.retryFailed] else { return Job(request: request, plan: try await MirrorPlan(request, asking: amodb)) }
        let latest = try await RunLibrary(cache).latest(of: request.lists.map(\.path), language: request.language)
        var job = Job(request: request, plan: MirrorPlan(titlesOf: latest, request: request))
        let failed = job.plan.failed(in: latest)
        if request.details.isEmpty { job.request.takeOverDetails(of: latest) }
        job.request.retrying = failed
        job.isEmpty = failed.isEmpty && (job.request.details.isEmpty || !job.plan.lacksDetails(in: latest))
        return job
    }

    private static func run(_ mirror: Mirror, _ plan: MirrorPlan, _ startedAt: Date, _ context: Context) async throws -> Mirror.Outcome {
        let done = Atomic(0)
        let details = DetailsDisplay()
        do {
            return try await context.withProgress("Mirroring", unit: "pictures") { bar in
                try await mirror.run(plan, startedAt: startedAt) { event in
                    switch event {
                    case .planned(_, let pictures):
                        bar.expect(pictures)
                    case .finished(let outcome, let bytes):
                        done.add(1, ordering: .relaxed)
                        bar.advance(failed: outcome.failure == nil ? 0 : 1, bytes: bytes)
                    case .detailsPlanned(let progress), .detailsFinished(let progress): details.show(progress, on: bar)
                    case .picturesDone: details.takeOver(bar)
                    }
                }
            }
        } catch is CancellationError {
            let finished = done.load(ordering: .relaxed)
            throw Interruption(
                "\(finished) of \(plan.pictureCount) pictures\(details.words) are done and kept; run the same command to go on from there"
            )
        }
    }

    private static func preview(
        _ request: MirrorRequest, _ network: Network, _ arguments: Arguments, _ context: Context
    ) async throws -> ExitCode {
        let preview: MirrorPreview
        do {
            preview = try await Cache.withCache(at: arguments[Flags.cache], access: .readOnly, clock: .system, log: context.log) { cache in
                let amodb = network.amodb(reading: AnswerStore(cache))
                let job = try await planned(request, of: cache, asking: amodb, arguments)
                let urls = job.plan.pictures.map(\.url.text)
                let (known, earlier) = (try await cache.sources(of: urls), try await cache.failures(of: urls))
                var preview = MirrorPreview(of: job.plan, request: job.request, known: known, earlier: earlier, at: Date())
                try await preview.addDetails(of: job.plan, request: job.request, asking: amodb, at: Date()) { urls in
                    try await cache.failures(of: urls)
                }
                return preview
            }
        } catch let error as CacheError where (error.code == .notACache || error.code == .notFound) && !arguments[Flags.retryFailed] {
            let amodb = network.amodb(reading: .none)
            let plan = try await MirrorPlan(request, asking: amodb)
            var unkept = MirrorPreview(of: plan, request: request, known: [:], earlier: [:], at: Date())
            try await unkept.addDetails(of: plan, request: request, asking: amodb, at: Date()) { _ in [:] }
            preview = unkept
        }
        try context.output.write(arguments[Flags.json] ? JSONText.encode(preview) : Array(MirrorReport.text(of: preview).utf8))
        return .done
    }
}

/// The time for a run was over before it was known what there is to do.
private struct DeadlinePassed: Error, CustomStringConvertible {
    let description: String

    init(_ deadline: Deadline) {
        description = "the deadline of \(DurationText.describe(deadline.duration)) came before the lists were read; nothing was mirrored"
    }
}

extension Sequence where Element: Hashable {
    /// These elements in order, each the first time only.
    var withoutDuplicates: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
