internal import Core
internal import FoundationEssentials
internal import Serving

/// Painted posters: in memory up to a bound, in a directory if there is one, else painted when asked for.
final class PosterStore: Sendable {
    private struct Key: Hashable {
        let index: Int
        let width: Int
        let height: Int

        init(_ title: CatalogueTitle, _ size: PosterSize) {
            (index, width, height) = (title.index, size.widthPixels, size.heightPixels)
        }
    }

    private struct State {
        var posters: [Key: (poster: Poster, lastUse: Int)] = [:]
        var bytes = 0
        var uses = 0
        /// What is being made now, and who else waits for it.
        var waiting: [Key: [CheckedContinuation<Void, Never>]] = [:]
    }

    private let painter: PosterPainter
    private let directory: String?
    private let memoryBytes: Int
    private let state = Mutex(State())

    init(painter: PosterPainter, directory: String?, memoryBytes: Int) {
        self.painter = painter
        self.directory = directory
        self.memoryBytes = memoryBytes
    }

    /// The poster, if it is in memory.
    func remembered(_ title: CatalogueTitle, _ size: PosterSize) -> Poster? {
        remembered(Key(title, size))
    }

    /// The poster, painted if need be; once only, however many ask for it at the same time.
    func poster(_ title: CatalogueTitle, _ size: PosterSize) async throws -> Poster {
        let key = Key(title, size)
        while true {
            if let poster = remembered(key) { return poster }
            guard await isFirst(to: key) else { continue }
            defer { release(key) }
            let poster = Poster(jpeg: try await make(title, size), title: title)
            remember(poster, as: key)
            return poster
        }
    }

    /// Makes the three usual sizes of every poster in the catalogue, so that none is painted later.
    func prepaint(_ catalogue: Catalogue, threads: Int) async throws {
        let sizes = ["w185", "w342", "w500"].compactMap(PosterSize.init)
        let titles = catalogue.titles.filter { $0.posterPath?.isEmpty == false }
        try await forEachBounded(titles, limit: 2 * threads) { title in
            for size in sizes { _ = try await self.poster(title, size) }
        }
    }

    // MARK: - Memory

    private func remembered(_ key: Key) -> Poster? {
        state.withLock { state in
            guard let found = state.posters[key] else { return nil }
            state.uses += 1
            state.posters[key]?.lastUse = state.uses
            return found.poster
        }
    }

    private func remember(_ poster: Poster, as key: Key) {
        state.withLock { state in
            state.uses += 1
            state.posters[key] = (poster, state.uses)
            state.bytes += poster.body.count
            guard state.bytes > memoryBytes else { return }
            // The least lately used go, down to nine tenths, so that this is seldom done.
            for (key, entry) in state.posters.sorted(by: { $0.value.lastUse < $1.value.lastUse }) where state.bytes > memoryBytes * 9 / 10 {
                state.posters[key] = nil
                state.bytes -= entry.poster.body.count
            }
        }
    }

    // MARK: - One at a time

    /// True at once for the first who asks; false for the others, once the first has done.
    private func isFirst(to key: Key) async -> Bool {
        let isFirst = state.withLock { state in
            guard state.waiting[key] == nil else { return false }
            state.waiting[key] = []
            return true
        }
        if isFirst { return true }
        await withCheckedContinuation { continuation in
            let mustWait = state.withLock { state in
                state.waiting[key]?.append(continuation)
                return state.waiting[key] != nil
            }
            if !mustWait { continuation.resume() }
        }
        return false
    }

    private func release(_ key: Key) {
        let waiting = state.withLock { $0.waiting.removeValue(forKey: key) }
        for continuation in waiting ?? [] { continuation.resume() }
    }

    // MARK: - Making

    private func make(_ title: CatalogueTitle, _ size: PosterSize) async throws -> [UInt8] {
        let file = directory.map { "\($0)/\(PosterPainter.version)-\(title.index)-\(size.widthPixels)x\(size.heightPixels).jpg" }
        if let file, let data = try? Data(contentsOf: URL(filePath: file)), !data.isEmpty { return Array(data) }
        let jpeg = try await painter.jpeg(title, size)
        if let file {
            try FileManager.default.createDirectory(atPath: directory ?? "", withIntermediateDirectories: true)
            try Data(jpeg).write(to: URL(filePath: file), options: .atomic)
        }
        return jpeg
    }
}
