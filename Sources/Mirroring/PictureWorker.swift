internal import Core
internal import FoundationEssentials
internal import Imaging
internal import Storage
internal import Transfer

/// Sees to one picture: fetch, verify, render, keep.
///
/// Nothing is stored unless all of it is right: status, byte limit, exact length, magic bytes, the header's limits and a full decode.
/// A failure never replaces a good picture that is there already.
struct PictureWorker: Sendable {
    /// What became of a picture.
    struct Result: Sendable {
        let outcome: PictureOutcome
        /// What the cache now holds for the URL, an earlier copy included.
        let source: SourceRecord?
        /// Renditions made.
        let rendered: Int
        /// Size of the body that was downloaded.
        let bytes: Int
    }

    /// How long an image is fresh when its host says nothing; the API's image host documents 30 days.
    static let freshWithoutWord = Duration.seconds(30 * 86_400)
    /// The header that says which formats will do.
    static let accepted = ("Accept", "image/avif,image/webp,image/png,image/jpeg,image/gif;q=0.9")

    let request: MirrorRequest
    var recipes: RecipeBook
    /// Whether the cache is told of what could not be had, so that the next run knows.
    var recordsFailures = true
    let cache: Cache
    let governor: HostGovernor
    let renderer: Renderer
    let clock: WallClock
    let log: Log
    private let watchdog: Watchdog
    private let complaints: Complaints
    private let downloads: Budget
    private let bytesHeld: Budget
    private let pixelsHeld: Budget

    init(request: MirrorRequest, recipes: RecipeBook, services: MirrorServices, watchdog: Watchdog, complaints: Complaints) {
        self.request = request
        self.recipes = recipes
        cache = services.cache
        governor = services.governor
        renderer = services.renderer
        clock = services.clock
        log = services.log
        self.watchdog = watchdog
        self.complaints = complaints
        downloads = Budget(request.limits.downloads)
        bytesHeld = Budget(Int(request.limits.bytesHeld.bytes))
        pixelsHeld = Budget(request.limits.pixelsHeld)
    }

    /// What becomes of a picture that nothing has to be done for: it is fresh and has all its renditions, or is known not to be there.
    ///
    /// - Parameters: as for ``see(to:known:earlier:)``.
    /// - Returns: nil when something has to be done.
    func settled(_ picture: MirrorPlan.Picture, known: SourceRecord?, earlier: FailureRecord?) -> Result? {
        if let known {
            guard !request.refresh, request.isFresh(known, at: clock.now()), recipes.lacking(in: known, for: picture.targets).isEmpty else {
                return nil
            }
            return Result(outcome: .fresh, source: known, rendered: 0, bytes: 0)
        }
        guard let earlier, request.remembers(earlier, at: clock.now()) else { return nil }
        let why = Manifest.Missing(reason: earlier.reason, detail: "\(earlier.detail) (asked at \(earlier.at.iso8601))")
        // A log of errors alone has to tell why the run is not complete; another has told it when it was new.
        if request.saysFailuresAsErrors { complaints.warn(about: why.reason, "\(name(of: picture)): \(why.detail)") }
        return Result(outcome: .missing(why), source: nil, rendered: 0, bytes: 0)
    }

    /// - Parameters:
    ///   - known: what the cache holds for the picture's URL.
    ///   - earlier: how the last attempt failed, if it did.
    /// - Throws: `CacheError` when the cache itself is in trouble, and `CancellationError`. Whatever is wrong with this one picture is in the result.
    func see(to picture: MirrorPlan.Picture, known: SourceRecord?, earlier: FailureRecord?) async throws -> Result {
        try await watchdog.watch(picture.url.text, named: name(of: picture)) {
            try await settle(picture, known: known, earlier: earlier)
        }
    }

    private func name(of picture: MirrorPlan.Picture) -> String {
        "\(picture.size) of \"\(picture.shortTitle)\" (\(picture.posterPath))"
    }

    private func settle(_ picture: MirrorPlan.Picture, known: SourceRecord?, earlier: FailureRecord?) async throws -> Result {
        if let result = settled(picture, known: known, earlier: earlier) { return result }
        var known = known
        if request.refresh, let copy = known { known = try await intact(copy, for: picture) }
        if let copy = known, request.isFresh(copy, at: clock.now()) {
            if let result = try await complete(copy, for: picture, outcome: .fresh) { return result }
            // Not to be named to the host, who would only say that it is unchanged.
            known = nil
        }
        switch try await fetch(picture, known: known) {
        case .settled(let result):
            guard case .kept(let why) = result.outcome, let copy = result.source else { return result }
            // The copy that stands in has all that was asked for, or is no copy.
            return try await complete(copy, for: picture, outcome: result.outcome)
                ?? Result(outcome: .missing(why), source: nil, rendered: 0, bytes: 0)
        case .unchanged(let current, let bytes):
            if let result = try await complete(current, for: picture, outcome: .unchanged, bytes: bytes) { return result }
            // The host says that the copy is right, but the copy turned out to be damaged: ask without naming it.
            guard case .settled(let result) = try await fetch(picture, known: nil) else {
                return try await fail(picture, known: nil, reason: .status(304), detail: "the host answered 304 without having been asked")
            }
            return result
        }
    }

    // MARK: - Fetching

    private enum Answer {
        case settled(Result)
        /// `bytes` came to say so.
        case unchanged(SourceRecord, bytes: Int)
    }

    private func fetch(_ picture: MirrorPlan.Picture, known: SourceRecord?) async throws -> Answer {
        let cap = Int((picture.size.token == "original" ? request.limits.originalBytes : request.limits.posterBytes).bytes)
        watchdog.note("waiting for its turn to be downloaded", for: picture.url.text)
        return try await bytesHeld.withShare(cap) {
            do {
                let response = try await downloads.withShare {
                    watchdog.note("waiting for \(picture.url.hostAndPort)", for: picture.url.text)
                    return try await download(picture, known: known, cap: cap)
                }
                watchdog.note("being verified, rendered and stored", for: picture.url.text)
                switch (response.status, known) {
                case (200, let known?) where await cache.digest(of: response.body) == known.picture.digest:
                    // A host without validators sends the whole picture again: the same bytes are as good as a 304, and need no decoding.
                    return .unchanged(try await revalidate(known, by: response), bytes: response.body.count)
                case (200, _): return .settled(try await keep(response, for: picture))
                case (304, let known?): return .unchanged(try await revalidate(known, by: response), bytes: 0)
                default:
                    let detail = "\(response.address.hostAndPort) answered \(response.status)"
                    return .settled(try await fail(picture, known: known, reason: .status(response.status), detail: detail))
                }
            } catch let error as TransferError {
                if error.isCancellation { throw CancellationError() }
                return .settled(try await fail(picture, known: known, reason: error.reason, detail: error.description))
            } catch let error as ImagingError {
                return .settled(try await fail(picture, known: known, reason: error.reason, detail: "200, but \(error.detail)"))
            }
        }
    }

    private func download(_ picture: MirrorPlan.Picture, known: SourceRecord?, cap: Int) async throws(TransferError) -> HTTPResponse {
        var headers = [Self.accepted]
        if let etag = known?.etag {
            headers.append(("If-None-Match", etag))
        } else if let lastModified = known?.lastModified {
            headers.append(("If-Modified-Since", lastModified))
        }
        let request = HTTPRequest(picture.url, headers: headers, maximumBytes: cap, deadline: self.request.limits.posterDeadline)
        return try await governor.send(request, policy: .images)
    }

    private func revalidate(_ known: SourceRecord, by response: HTTPResponse) async throws -> SourceRecord {
        let now = clock.now()
        var current = known
        current.fetchedAt = now
        current.freshUntil = Freshness.freshUntil(response.headers, now: now, otherwise: Self.freshWithoutWord)
        current.etag = response.headers["ETag"] ?? known.etag
        current.lastModified = response.headers["Last-Modified"] ?? known.lastModified
        try await cache.refreshed(
            url: current.url, etag: current.etag, lastModified: current.lastModified, fetchedAt: current.fetchedAt,
            freshUntil: current.freshUntil)
        return current
    }

    /// Verifies a downloaded picture, renders what is wanted of it, and keeps both.
    private func keep(_ response: HTTPResponse, for picture: MirrorPlan.Picture) async throws -> Result {
        let now = clock.now()
        let body = response.body
        let header = try await renderer.header(of: body)
        let wanted = recipes.recipes(for: picture.targets, originalWidth: header.widthPixels)
        let rendering = try await pixelsHeld.withShare(pixels(of: wanted, from: header.widthPixels, header.heightPixels)) {
            try await renderer.render(body, recipes: wanted)
        }
        let source = try await cache.add(
            NewSource(
                url: picture.url.text, original: .new(NewPicture(body, rendering.header)), etag: response.headers["ETag"],
                lastModified: response.headers["Last-Modified"], fetchedAt: now,
                freshUntil: Freshness.freshUntil(response.headers, now: now, otherwise: Self.freshWithoutWord), colour: rendering.colour,
                placeholder: rendering.placeholder, renditions: rendering.images.map(NewRendition.init)))
        log.debug("\(picture.size) of \"\(picture.shortTitle)\" (\(picture.posterPath)): fetched, \(ByteCount(body.count))")
        return Result(outcome: .fetched, source: source, rendered: rendering.images.count, bytes: body.count)
    }

    // MARK: - What is kept already

    /// What of a kept copy is still as it was stored. Whoever asks for a refresh wants to be sure of what the host calls unchanged.
    ///
    /// - Returns: nil when the original is damaged, whose validators must not be sent then; without the renditions that are.
    private func intact(_ copy: SourceRecord, for picture: MirrorPlan.Picture) async throws -> SourceRecord? {
        watchdog.note("being held against its digest", for: picture.url.text)
        guard let intact = try await cache.intact(copy) else {
            log.warning("\(copy.picture.path): its bytes have changed since they were stored; fetching it again")
            return nil
        }
        for (recipe, rendition) in copy.renditions where intact.renditions[recipe] == nil {
            log.warning("\(rendition.path): its bytes have changed since they were stored; making it again")
        }
        return intact
    }

    /// Makes the renditions that a kept original still lacks; decodes nothing when it lacks none.
    ///
    /// - Returns: nil when the kept original is damaged or gone.
    private func complete(_ source: SourceRecord, for picture: MirrorPlan.Picture, outcome: PictureOutcome, bytes: Int = 0) async throws
        -> Result?
    {
        let lacking = recipes.lacking(in: source, for: picture.targets)
        guard !lacking.isEmpty else { return Result(outcome: outcome, source: source, rendered: 0, bytes: bytes) }
        watchdog.note("being rendered from the kept copy", for: picture.url.text)
        do {
            let completed = try await bytesHeld.withShare(source.picture.byteCount) {
                let original = try await cache.read(source.picture)
                let share = pixels(of: lacking, from: source.picture.widthPixels, source.picture.heightPixels)
                let rendering = try await pixelsHeld.withShare(share) {
                    try await renderer.render(original, recipes: lacking)
                }
                return try await cache.add(NewSource(source, renditions: rendering.images.map(NewRendition.init)))
            }
            let renditions = source.renditions.merging(completed.renditions) { _, new in new }
            var whole = completed
            whole.renditions = renditions
            return Result(outcome: outcome, source: whole, rendered: lacking.count, bytes: bytes)
        } catch let error as CacheError where error.code == .damaged || error.code == .notFound {
            let fault = error.code == .damaged ? "its bytes have changed since they were stored" : "it is gone"
            log.warning("\(source.picture.path): \(fault); fetching it again")
            return nil
        } catch let error as ImagingError {
            return try await fail(picture, known: source, reason: error.reason, detail: error.detail)
        }
    }

    /// Pixels that are held at once while `recipes` are made, one after another: the original's and the largest result's.
    private func pixels(of recipes: [Recipe], from width: Int, _ height: Int) -> Int {
        width * height + (recipes.map { $0.pixelCount(ofWidth: width, height: height) }.max() ?? 0)
    }

    private func fail(
        _ picture: MirrorPlan.Picture, known: SourceRecord?, reason: Reason, detail: String
    ) async throws -> Result {
        let why = Manifest.Missing(reason: reason, detail: detail)
        if recordsFailures {
            try await cache.recordFailure(FailureRecord(url: picture.url.text, reason: reason, detail: detail, at: clock.now()))
        }
        let consequence = known.map { "; kept the copy of \($0.fetchedAt.iso8601)" } ?? ""
        complaints.warn(about: reason, "\(name(of: picture)): \(detail)\(consequence)")
        return Result(outcome: known == nil ? .missing(why) : .kept(why), source: known, rendered: 0, bytes: 0)
    }
}

extension NewPicture {
    init(_ bytes: [UInt8], _ header: PictureHeader) {
        self.init(
            bytes: bytes, fileExtension: header.format.fileExtension, mediaType: header.format.mediaType, widthPixels: header.widthPixels,
            heightPixels: header.heightPixels)
    }
}

extension NewRendition {
    init(_ image: RenderedImage) {
        self.init(
            recipe: image.recipe.description,
            picture: NewPicture(
                bytes: image.bytes, fileExtension: image.format.fileExtension, mediaType: image.format.mediaType,
                widthPixels: image.widthPixels, heightPixels: image.heightPixels))
    }
}

extension NewSource {
    /// More renditions of a picture that is stored already.
    init(_ source: SourceRecord, renditions: [NewRendition]) {
        self.init(
            url: source.url, original: .stored(source.picture), etag: source.etag, lastModified: source.lastModified,
            fetchedAt: source.fetchedAt, freshUntil: source.freshUntil, colour: source.colour, placeholder: source.placeholder,
            renditions: renditions)
    }
}
