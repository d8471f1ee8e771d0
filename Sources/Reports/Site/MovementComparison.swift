internal import Mirroring

/// Compares titles with the earlier runs of their list.
struct MovementComparison {
    private struct Key: Hashable {
        let list: String
        let mediaType: String
        let id: Int

        init(_ title: Manifest.Title) {
            list = title.list
            mediaType = title.mediaType
            id = title.id
        }
    }

    private var previousRanks: [Key: Int] = [:]
    private var everSeen: Set<Key> = []

    /// - Parameter history: newest first.
    init(with history: [Manifest]) {
        for title in history.first?.titles ?? [] { previousRanks[Key(title)] = title.rank }
        for run in history { everSeen.formUnion(run.titles.lazy.map { Key($0) }) }
    }

    func movement(of title: Manifest.Title) -> Movement {
        let key = Key(title)
        guard let previous = previousRanks[key] else { return everSeen.contains(key) ? .back : .new }
        let places = previous - title.rank
        return places == 0 ? .same : places > 0 ? .up(places) : .down(-places)
    }
}
