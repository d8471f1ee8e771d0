internal import Core
package import Imaging
package import Storage
package import Transfer

/// Pictures one at a time, for whoever asks for one by its size and path: fetched, verified, rendered and kept as a mirror does it.
///
/// What is kept is given without asking the host, however old it is. What could not be had is told, but not noted in the cache: anybody may
/// ask for any name, and the notes would never end.
package struct PictureSupply: Sendable {
    private let images: WebAddress
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
        self.images = images
        cache = services.cache
        kept = worker { $0.retrying = [] }
        renewed = worker { _ in }
    }

    /// The address of a picture, by which the cache knows it.
    ///
    /// - Parameter path: such as `/abc.jpg`; comes from strangers.
    package func url(of path: String, size: PosterSize) throws(TransferError) -> WebAddress {
        try MirrorPlan.url(of: path, size: size, at: images)
    }

    /// What the cache holds of a picture, with what is made of it by `recipes`; fetched and made now if it is not there.
    ///
    /// - Parameter renewing: asks the host whether the picture is still the same, if what is kept is no longer fresh.
    /// - Returns: the outcome, and what the cache now holds; it is durable after the next flush.
    /// - Throws: `TransferError` for a path that no address may be built from; `CacheError` when the cache is in trouble; `CancellationError`.
    package func picture(
        _ path: String, size: PosterSize, recipes: [Recipe] = [], renewing: Bool = false
    ) async throws -> (outcome: PictureOutcome, source: SourceRecord?) {
        let url = try url(of: path, size: size)
        var worker = renewing ? renewed : kept
        worker.recipes = RecipeBook(recipes, sizes: [size])
        let known = try await cache.sources(of: [url.text])[url.text]
        let picture = MirrorPlan.Picture(url: url, posterPath: path, size: size, targets: [size], title: "")
        let result = try await worker.see(to: picture, known: known, earlier: nil)
        return (result.outcome, result.source)
    }
}
