package import Amodb
internal import Core
package import FoundationEssentials
internal import Imaging
internal import Storage
internal import Transfer

/// The main job: lists to titles, titles to pictures, pictures into the cache, and a manifest of it all.
package struct Mirror: Sendable {
    /// What a finished run leaves behind.
    package struct Outcome: Sendable {
        package let manifest: Manifest
        /// Relative to the cache directory.
        package let manifestPath: String
        package let summary: MirrorSummary
        /// Why the API would not tell the details that are missing, when it is about the key; the pictures are had all the same.
        package let detailsRefusal: AmodbError?
    }

    private let request: MirrorRequest
    private let services: MirrorServices
    private let complaints: Complaints

    package init(_ request: MirrorRequest, services: MirrorServices) {
        self.request = request
        self.services = services
        complaints = Complaints(log: services.log, areErrors: request.saysFailuresAsErrors)
    }

    /// Sees to every picture of `plan`, and beside them to its titles' details, and saves the manifest.
    ///
    /// One picture that cannot be had never stops the others. Everything that was kept is durable when this returns or throws, a
    /// cancelled run included, so that the next one goes on from there.
    ///
    /// - Throws: `CacheError` when the cache is in trouble; `CancellationError`. Nothing else: what is wrong with a picture is in the manifest.
    package func run(
        _ plan: MirrorPlan, startedAt: Date, onEvent: @escaping @Sendable (MirrorEvent) -> Void
    ) async throws -> Outcome {
        onEvent(.planned(titles: plan.entries.count, pictures: plan.pictures.count))
        complainOfRefusedPaths(in: plan)
        var results: [String: PictureWorker.Result]
        let details: DetailsWorker.Result
        do {
            // Side by side: pictures do not wait for the pace at which details may be asked for.
            async let detailsFound = seeToDetails(of: plan, onEvent: onEvent)
            results = try await seeToPictures(of: plan, onEvent: onEvent)
            onEvent(.picturesDone)
            details = try await detailsFound
        } catch {
            // Best effort: the error under way says more than one that this may add.
            try? await services.cache.flush()
            throw error
        }
        try await services.cache.flush()
        let isComplete = try await addUnfinished(of: plan, to: &results) == 0
        let builder = ManifestBuilder(
            request: request, recipes: RecipeBook(request.recipes, sizes: request.sizes), plan: plan, results: results,
            details: details.outcomes)
        let finishedAt = services.clock.now()
        let manifest = builder.manifest(
            named: runName(startedAt), startedAt: startedAt, finishedAt: finishedAt, isComplete: isComplete)
        let (saved, path) = try await save(manifest)
        return Outcome(
            manifest: saved, manifestPath: path,
            summary: summary(plan, results, details, seconds: finishedAt.timeIntervalSince(startedAt)),
            detailsRefusal: details.refusal)
    }

    // MARK: - Private

    private func complainOfRefusedPaths(in plan: MirrorPlan) {
        var told: Set<String> = []
        for title in plan.entries.lazy.map(\.title) {
            guard let path = title.posterPath, let why = plan.refusedPaths[path], told.insert(path).inserted else { continue }
            complaints.warn(about: .badPath, "poster of \"\(title.shortTitle)\": \(why)")
        }
    }

    /// - Returns: by URL; fewer than there are pictures when the deadline came first.
    private func seeToPictures(
        of plan: MirrorPlan, onEvent: @escaping @Sendable (MirrorEvent) -> Void
    ) async throws -> [String: PictureWorker.Result] {
        let urls = plan.pictures.map(\.url.text)
        let known = try await services.cache.sources(of: urls)
        let earlier = try await services.cache.failures(of: urls)
        let recipes = RecipeBook(request.recipes, sizes: request.sizes)
        let watchdog = Watchdog(log: services.log)
        let worker = PictureWorker(request: request, recipes: recipes, services: services, watchdog: watchdog, complaints: complaints)
        let results = Mutex<[String: PictureWorker.Result]>([:])
        // Beyond the downloads in flight, a few pictures may be waiting for a render thread; more would only hold memory.
        let limit = request.limits.downloads + 2 * services.renderer.threadCount
        let seeToAll: @Sendable () async throws -> Void = {
            try await forEachBounded(plan.pictures, limit: limit) { picture in
                let url = picture.url.text
                let result = try await worker.see(to: picture, known: known[url], earlier: earlier[url])
                results.withLock { $0[url] = result }
                onEvent(.finished(result.outcome, bytes: ByteCount(result.bytes)))
            }
        }
        async let _ = watchdog.keepLooking()
        if let deadline = request.deadline { _ = try await deadline.run(seeToAll) } else { try await seeToAll() }
        return results.withLock { $0 }
    }

    /// - Returns: nothing when none are asked for.
    private func seeToDetails(
        of plan: MirrorPlan, onEvent: @escaping @Sendable (MirrorEvent) -> Void
    ) async throws -> DetailsWorker.Result {
        guard !request.details.isEmpty, let amodb = services.amodb else { return DetailsWorker.Result() }
        return try await DetailsWorker(request: request, amodb: amodb, services: services, complaints: complaints).see(
            to: plan, onEvent: onEvent)
    }

    /// Says of every picture that the deadline cut off what there is of it: a copy that needs nothing more, an older one, or none.
    ///
    /// - Returns: how many of them are not as they should be.
    private func addUnfinished(of plan: MirrorPlan, to results: inout [String: PictureWorker.Result]) async throws -> Int {
        guard results.count < plan.pictures.count else { return 0 }
        let known = try await services.cache.sources(of: plan.pictures.map(\.url.text).filter { results[$0] == nil })
        let recipes = RecipeBook(request.recipes, sizes: request.sizes)
        let limit = request.deadline.map { " of \($0.duration.components.seconds) s" } ?? ""
        let why = Manifest.Missing(reason: .interrupted, detail: "the run's deadline\(limit) came first")
        var count = 0
        for picture in plan.pictures where results[picture.url.text] == nil {
            let source = known[picture.url.text]
            let isSettled = source.map { source in
                request.isFresh(source, at: services.clock.now()) && recipes.lacking(in: source, for: picture.targets).isEmpty
            }
            if isSettled != true { count += 1 }
            results[picture.url.text] = PictureWorker.Result(
                outcome: isSettled == true ? .fresh : source == nil ? .missing(why) : .kept(why), source: source, rendered: 0, bytes: 0)
        }
        if count > 0 {
            complaints.say(
                "the run's deadline\(limit) came with \(count) of \(plan.pictures.count) pictures not done; the next run goes on from there"
            )
        }
        return count
    }

    /// Saves `manifest` under its name, or a similar one when another run of the same second has that; gives it as it was saved.
    private func save(_ manifest: Manifest) async throws -> (Manifest, path: String) {
        let saved = Mutex(manifest)
        let path = try await services.cache.saveRun(named: manifest.run) { name in
            let renamed = saved.withLock { saved in
                saved.run = name
                return saved
            }
            return try JSONText.encode(renamed)
        }
        return (saved.withLock { $0 }, path)
    }

    private func runName(_ startedAt: Date) -> String {
        let time = startedAt.iso8601.filter { $0 != "-" && $0 != ":" }
        let first = RunLibrary.slug(request.lists[0].path)
        let others = request.lists.count > 1 ? "-and-\(request.lists.count - 1)-more" : ""
        return "\(time)-\(first)\(others)"
    }

    private func summary(
        _ plan: MirrorPlan, _ results: [String: PictureWorker.Result], _ details: DetailsWorker.Result, seconds: Double
    ) -> MirrorSummary {
        var summary = MirrorSummary()
        summary.titles = plan.entries.count
        summary.withoutPoster = plan.entries.count { $0.title.posterPath == nil }
        summary.pictures = plan.pictures.count
        for result in results.values { summary.count(result.outcome, rendered: result.rendered) }
        if !plan.refusedPaths.isEmpty {
            summary.failed += plan.refusedPaths.count
            summary.reasons[Reason.badPath.rawValue] = plan.refusedPaths.count
        }
        if !request.details.isEmpty {
            var counted = DetailsSummary()
            for outcome in details.outcomes.values { counted.count(outcome) }
            summary.details = counted
        }
        let statistics = services.client.statistics
        summary.requests = statistics.requests
        summary.bytes = ByteCount(statistics.bytesReceived)
        summary.seconds = seconds
        return summary
    }
}
