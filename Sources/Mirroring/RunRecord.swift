internal import Amodb
internal import Core
internal import Storage

/// Writes a run down while it goes on: counts what becomes of its pictures, and adds each title to the record as soon as all is known of it.
///
/// Used by one task at a time.
final class RunRecord: Sendable {
    private struct State {
        var ledger: TitleLedger
        var summary = MirrorSummary()
        /// Nil while they are not known; no title is written down before.
        var details: [TitleID: DetailsOutcome]?
        var hasTitles = false
    }

    private let builder: ManifestBuilder
    private let cache: Cache
    private let draft: RunDraft
    private let state: Mutex<State>

    /// - Parameter awaitsDetails: whether ``add(_:)-(_)`` will bring details.
    init(_ plan: MirrorPlan, builder: ManifestBuilder, cache: Cache, awaitsDetails: Bool) throws(CacheError) {
        self.builder = builder
        self.cache = cache
        draft = try cache.runDraft()
        state = Mutex(State(ledger: TitleLedger(plan), details: awaitsDetails ? nil : [:]))
    }

    /// What has been counted so far.
    var summary: MirrorSummary { state.withLock(\.summary) }

    /// Notes what became of a picture.
    func add(_ result: PictureWorker.Result, at place: MirrorPlan.Place) async throws(CacheError) {
        state.withLock { state in
            state.ledger.note(result, at: place)
            state.summary.count(result.outcome, rendered: result.rendered)
        }
        try await writeReadyTitles()
    }

    /// Notes what is known of the titles beyond their lists.
    func add(_ details: [TitleID: DetailsOutcome]) async throws(CacheError) {
        state.withLock { $0.details = details }
        try await writeReadyTitles()
    }

    var hasOpenPictures: Bool { state.withLock { $0.ledger.openPictures > 0 } }

    func isOpen(_ place: MirrorPlan.Place) -> Bool { state.withLock { $0.ledger.isOpen(place) } }

    /// Saves the record under the manifest's name, or a similar one when another run of the same second has that.
    ///
    /// - Parameter manifest: all but the titles.
    /// - Returns: the name, and the path relative to the cache.
    func save(_ manifest: Manifest) async throws(CacheError) -> (name: String, path: String) {
        // Titles without a poster may be all that there is.
        try await writeReadyTitles()
        let hasTitles = state.withLock(\.hasTitles)
        return try await cache.saveRun(named: manifest.run, draft) { name in
            var named = manifest
            named.run = name
            return hasTitles ? Manifest.frame(of: named) : (JSONText.encode(named), [])
        }
    }

    // MARK: - Private

    private func writeReadyTitles() async throws(CacheError) {
        while let text = nextText() { try await cache.append(text, to: draft) }
    }

    private func nextText() -> [UInt8]? {
        let next = state.withLock { state -> (MirrorPlan.Entry, [PictureWorker.Result], DetailsOutcome?, isFirst: Bool)? in
            guard let details = state.details, let (entry, results) = state.ledger.takeNext() else { return nil }
            defer { state.hasTitles = true }
            return (entry, results, details[entry.title.identity], !state.hasTitles)
        }
        guard let (entry, results, details, isFirst) = next else { return nil }
        return Manifest.text(of: builder.title(entry, results, details: details), isFirst: isFirst)
    }
}
