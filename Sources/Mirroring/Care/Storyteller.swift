internal import Core
package import FoundationEssentials
package import Storage
internal import Transfer

/// Finds what a cache knows of one poster.
package struct Storyteller: Sendable {
    private let cache: Cache
    private let now: Date

    package init(_ cache: Cache, now: Date) {
        self.cache = cache
        self.now = now
    }

    /// - Throws: ``RunLibraryError`` with a suggestion when nothing is known of `subject`; `CacheError`.
    package func story(of subject: StorySubject) async throws -> PosterStory {
        let everything = try await RunLibrary(cache).everything()
        let runs = everything.manifests
        let found = try Self.find(subject, in: runs)
        var urls = Set(found.flatMap { $0.title.poster?.sizes.values.compactMap(\.original?.url) ?? [] })
        var paths = Set(found.compactMap(\.title.poster?.path))
        switch subject {
        case .url(let url): urls = [url]
        case .posterPath(let path): paths.insert(path)
        case .title, .words: break
        }
        if case .url = subject {
        } else {
            for path in paths {
                guard let suffix = Self.encoded(path) else { continue }
                urls.formUnion(try await cache.urls(endingWith: suffix))
            }
        }
        let pictures = try await pictures(at: urls.sorted())
        guard !found.isEmpty || pictures.contains(where: { $0.original != nil || $0.failure != nil }) else {
            // What is looked for may stand in a run that cannot be read.
            if let (_, why) = everything.unreadable.min(by: { $0.key < $1.key }) { throw RunLibraryError(why, .damaged) }
            throw Self.unknown(subject, runs)
        }
        let titles = found.map { (run, title) in
            PosterStory.Title(mediaType: title.mediaType, id: title.id, title: title.title, year: title.year)
        }
        return PosterStory(
            titles: Array(Dictionary(titles.map { ("\($0.mediaType)/\($0.id)", $0) }) { first, _ in first }.values)
                .sorted { ($0.mediaType, $0.id) < ($1.mediaType, $1.id) },
            appearances: found.map { PosterStory.Appearance($0.title, in: $0.run) }, pictures: pictures)
    }

    // MARK: - Titles

    private typealias Found = (run: Manifest, title: Manifest.Title)

    /// Newest run first.
    private static func find(_ subject: StorySubject, in runs: [Manifest]) throws -> [Found] {
        let all = runs.reversed().lazy.flatMap { run in run.titles.lazy.map { (run: run, title: $0) } }
        switch subject {
        case .title(let mediaType, let id):
            let found = all.filter { $0.title.id == id && (mediaType == nil || $0.title.mediaType == mediaType) }
            let kinds = Set(found.map(\.title.mediaType))
            guard kinds.count < 2 else {
                throw RunLibraryError(
                    "there is more than one title \(id): say " + kinds.sorted().map { "\($0)/\(id)" }.joined(separator: " or "))
            }
            return Array(found)
        case .url(let url):
            return all.filter { found in
                guard let poster = found.title.poster else { return false }
                return poster.sizes.values.contains { $0.original?.url == url } || encoded(poster.path).map { url.hasSuffix($0) } ?? false
            }
        case .posterPath(let path):
            return all.filter { $0.title.poster?.path == path }
        case .words(let words):
            let found = all.filter { $0.title.title.lowercased() == words.lowercased() }
            guard let first = found.first(where: { _ in true })?.title else { return [] }
            return found.filter { $0.title.id == first.id && $0.title.mediaType == first.mediaType }
        }
    }

    /// As a poster path stands in URLs; nil when none may be built from it.
    private static func encoded(_ path: String) -> String? {
        let origin = "https://host.invalid"
        guard let address = try? WebAddress(origin).appending(path: path) else { return nil }
        return String(address.text.dropFirst(origin.count))
    }

    private static func unknown(_ subject: StorySubject, _ runs: [Manifest]) -> RunLibraryError {
        let what: String
        switch subject {
        case .title(let mediaType, let id): what = "the title \(mediaType.map { "\($0)/" } ?? "")\(id)"
        case .url(let text), .posterPath(let text), .words(let text): what = text
        }
        var hint = "a title's id, movie/ID, a poster path or a URL will do; `posterity manifest` has them"
        if case .words(let words) = subject {
            let names = runs.reversed().lazy.flatMap(\.titles).filter { $0.title.lowercased().contains(words.lowercased()) }
            let similar = Set(names.map { "\($0.title) (\($0.mediaType)/\($0.id))" }).sorted().prefix(3)
            if !similar.isEmpty { hint = "did you mean \(similar.joined(separator: " or "))?" }
        }
        return RunLibraryError("nothing is known of \(what) in \(runs.count == 1 ? "1 run" : "\(runs.count) runs"); \(hint)")
    }

    // MARK: - Pictures

    private func pictures(at urls: [String]) async throws -> [PosterStory.Picture] {
        let recorded = try await cache.recordedSources(of: urls)
        let whole = try await cache.sources(of: urls)
        let failures = try await cache.failures(of: urls)
        let records = Dictionary(recorded.map { ($0.url, $0) }) { first, _ in first }
        return urls.map { url in
            let record = records[url]
            let failure = failures[url]
            let state: PosterStory.Picture.State =
                switch (record, whole[url]) {
                case (nil, _): .missing
                case (_?, nil): .lost
                case (_?, let whole?): whole.fetchedAt <= now && now < whole.freshUntil ? .fresh : .stale
                }
            let renditions = (record?.renditions ?? [:]).sorted { $0.key < $1.key }.map { recipe, picture in
                PosterStory.Object(picture, recipe: recipe, isThere: whole[url]?.renditions[recipe] != nil)
            }
            return PosterStory.Picture(
                url: url, state: state, verdict: verdict(state, record, failure),
                original: record.map { PosterStory.Object($0.picture, recipe: nil, isThere: state != .lost) }, etag: record?.etag,
                lastModified: record?.lastModified, fetchedAt: record?.fetchedAt, freshUntil: record?.freshUntil,
                failure: failure.map { PosterStory.Failure(reason: $0.reason, detail: $0.detail, at: $0.at) }, renditions: renditions)
        }
    }

    private func verdict(_ state: PosterStory.Picture.State, _ record: SourceRecord?, _ failure: FailureRecord?) -> String {
        let last = failure.map { "; the last attempt failed: \($0.reason), \($0.detail) (\($0.at.iso8601))" } ?? ""
        switch state {
        case .fresh:
            return "there, and fresh until \(record?.freshUntil.iso8601 ?? ""): it is not asked for before then" + last
        case .stale:
            return "there, but stale since \(record?.freshUntil.iso8601 ?? ""): the next mirror asks whether it has changed" + last
        case .lost:
            return "its file is gone: the next mirror fetches it again, and so does `posterity verify --repair`" + last
        case .missing:
            guard let failure else { return "it was never asked for, or was pruned since" }
            let isAbsence = failure.reason == .status(404) || failure.reason == .status(410)
            let again = isAbsence ? "it is asked for again a day later, or with --retry-missing" : "the next mirror asks again"
            return "not there: \(failure.reason), \(failure.detail) (\(failure.at.iso8601)); \(again)"
        }
    }
}

extension PosterStory.Appearance {
    fileprivate init(_ title: Manifest.Title, in run: Manifest) {
        let sizes = title.poster?.sizes ?? [:]
        self.init(
            run: run.run, week: run.week, list: title.list, rank: title.rank, posterPath: title.poster?.path,
            sizes: run.sizes.filter { sizes[$0] != nil }, kept: sizes.compactMapValues { $0.original?.kept }, missing: title.missing,
            details: title.details, detailsMissing: title.detailsMissing)
    }
}

extension PosterStory.Object {
    fileprivate init(_ picture: StoredPicture, recipe: String?, isThere: Bool) {
        self.init(
            recipe: recipe, path: picture.path, digest: picture.digest, bytes: picture.byteCount, width: picture.widthPixels,
            height: picture.heightPixels, isThere: isThere)
    }
}
