internal import Amodb
internal import Core
package import Imaging
package import Storage
package import Transfer

/// Pictures one at a time, for whoever asks for one by its size and path: fetched, verified, rendered and kept as a mirror does it.
///
/// What is kept is given without asking the host, however old it is. What could not be had is told, but not noted in the cache: anybody may
/// ask for any name, and the notes would never end.
package struct PictureSupply: Sendable {
    private let cache: Cache
    private let kept: PictureWorker
    private let renewed: PictureWorker

    /// - Parameter images: such as `https://img.amodb.dev/t/p`.
    package init(images: WebAddress, services: MirrorServices, limits: MirrorLimits = MirrorLimits()) {
        func worker(_ adjust: (inout MirrorRequest) -> Void) -> PictureWorker {
            var request = MirrorRequest(images: images)
            request.limits = limits
            adjust(&request)
            var worker = PictureWorker(
                request: request, recipes: RecipeBook([], sizes: []), services: services, watchdog: Watchdog(log: .silent),
                complaints: Complaints(log: .silent, areErrors: false))
            worker.recordsFailures = false
            return worker
        }
        cache = services.cache
        kept = worker { $0.retrying = [] }
        renewed = worker { _ in }
    }

    /// What the cache holds of a picture, if it has all that is made of it by `recipes`. Waits for the disk alone.
    ///
    /// - Throws: as ``picture(_:size:recipes:renewing:)``.
    package func keptPicture(_ path: String, size: PosterSize, recipes: [Recipe] = []) async throws -> SourceRecord? {
        let (worker, picture) = try job(path, size: size, recipes: recipes, worker: kept)
        guard let known = try await cache.sources(of: [picture.url.text])[picture.url.text] else { return nil }
        return worker.settled(picture, known: known, earlier: nil)?.source
    }

    /// What the cache holds of a picture, with what is made of it by `recipes`; fetched and made now if it is not there.
    ///
    /// - Parameter renewing: asks the host whether the picture is still the same, if what is kept is no longer fresh.
    /// - Returns: the outcome, and what the cache now holds; it is durable after the next flush.
    /// - Throws: `TransferError` for a path that no address may be built from; `CacheError` when the cache is in trouble; `CancellationError`.
    package func picture(
        _ path: String, size: PosterSize, recipes: [Recipe] = [], renewing: Bool = false
    ) async throws -> (outcome: PictureOutcome, source: SourceRecord?) {
        let (worker, picture) = try job(path, size: size, recipes: recipes, worker: renewing ? renewed : kept)
        let url = picture.url.text
        let known = try await cache.sources(of: [url])[url]
        let result = try await worker.see(to: picture, known: known, earlier: nil)
        return (result.outcome, result.source)
    }

    private func job(
        _ path: String, size: PosterSize, recipes: [Recipe], worker: PictureWorker
    ) throws -> (worker: PictureWorker, picture: MirrorPlan.Picture) {
        var worker = worker
        worker.recipes = RecipeBook(recipes, sizes: [size])
        // A mirror's plan for a list of this one poster, so that its address is what a mirror would make of it.
        var request = worker.request
        request.sizes = [size]
        let title = Title(id: 1, mediaType: "movie", title: "", year: nil, score: nil, posterPath: path)
        let plan = MirrorPlan(titles: [(.trendingMoviesThisWeek, [title])], request: request)
        guard let picture = plan.pictures.first else {
            throw TransferError(.badPath, detail: plan.refusedPaths[path] ?? "there is no picture there")
        }
        return (worker, picture)
    }
}
