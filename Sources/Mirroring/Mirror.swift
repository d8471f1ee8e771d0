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
        /// The run's name.
        package let run: String
        /// API paths, in the order asked for.
        package let lists: [String]
        /// The ISO week in which the run started.
        package let week: String
        /// Whether the run got through all of its plan.
        package let isComplete: Bool
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
        onEvent(.planned(titles: plan.entries.count, pictures: plan.pictureCount))
        complainOfRefusedPaths(in: plan)
        let recipes = RecipeBook(request.recipes, sizes: request.sizes)
        let builder = ManifestBuilder(request: request, recipes: recipes, plan: plan)
        let record = try RunRecord(plan, builder: builder, cache: services.cache, awaitsDetails: !request.details.isEmpty)
        let details: DetailsWorker.Result
        do {
            // Side by side: pictures do not wait for the pace at which details may be asked for.
            async let detailsFound = seeToDetails(of: plan, onEvent: onEvent)
            let gallery = Gallery(plan, request: request, recipes: recipes, services: services, complaints: complaints)
            try await gallery.seeToAll(record: record, onEvent: onEvent)
            if !request.details.isEmpty { onEvent(.picturesDone) }
            details = try await detailsFound
        } catch {
            // Best effort: the error under way says more than one that this may add.
            try? await services.cache.flush()
            throw error
        }
        try await services.cache.flush()
        let isComplete = try await addUnfinished(of: plan, recipes: recipes, to: record) == 0
        if !request.details.isEmpty { try await record.add(details.outcomes) }
        let finishedAt = services.clock.now()
        let manifest = builder.manifest(
            named: runName(startedAt), startedAt: startedAt, finishedAt: finishedAt, isComplete: isComplete)
        let (name, path) = try await record.save(manifest)
        return Outcome(
            run: name, lists: manifest.lists, week: manifest.week, isComplete: isComplete, manifestPath: path,
            summary: summary(plan, record.summary, details, seconds: finishedAt.timeIntervalSince(startedAt)),
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
    private func addUnfinished(of plan: MirrorPlan, recipes: RecipeBook, to record: RunRecord) async throws -> Int {
        let limit = request.deadline.map { " of \($0.duration.components.seconds) s" } ?? ""
        let why = Manifest.Missing(reason: .interrupted, detail: "the run's deadline\(limit) came first")
        var count = 0
        for stretch in plan.stretches where record.hasOpenPictures {
            let open = plan.pictures(of: stretch).filter { record.isOpen($0.place) }
            if open.isEmpty { continue }
            let known = try await services.cache.sources(of: open.map(\.url.text))
            for picture in open {
                let source = known[picture.url.text]
                let isSettled = source.map { source in
                    request.isFresh(source, at: services.clock.now()) && recipes.lacking(in: source, for: picture.targets).isEmpty
                }
                if isSettled != true { count += 1 }
                let outcome: PictureOutcome = isSettled == true ? .fresh : source == nil ? .missing(why) : .kept(why)
                try await record.add(
                    PictureWorker.Result(outcome: outcome, source: source, rendered: 0, bytes: 0), at: picture.place)
            }
        }
        if count > 0 {
            complaints.say(
                "the run's deadline\(limit) came with \(count) of \(plan.pictureCount) pictures not done; the next run goes on from there"
            )
        }
        return count
    }

    private func runName(_ startedAt: Date) -> String {
        let time = startedAt.iso8601.filter { $0 != "-" && $0 != ":" }
        let first = RunLibrary.slug(request.lists[0].path)
        let others = request.lists.count > 1 ? "-and-\(request.lists.count - 1)-more" : ""
        return "\(time)-\(first)\(others)"
    }

    private func summary(
        _ plan: MirrorPlan, _ counted: MirrorSummary, _ details: DetailsWorker.Result, seconds: Double
    ) -> MirrorSummary {
        var summary = counted
        summary.titles = plan.entries.count
        summary.withoutPoster = plan.entries.count { $0.title.posterPath == nil }
        summary.pictures = plan.pictureCount
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
