internal import FoundationEssentials
package import Mirroring

/// How a title stands in its list compared with the run before.
package enum Movement: Sendable, Hashable {
    /// In no earlier run that is known.
    case new
    /// So many places nearer to the top.
    case up(Int)
    /// So many places further down.
    case down(Int)
    case same
    /// Not in the run before, but in an older one.
    case back
}

/// The movements of all titles of one run.
package struct Movements: Sendable {
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

    private let movements: [Key: Movement]

    /// - Parameter history: other runs of the same cache, in any order; those that do not count (later, interrupted, of other lists or in
    ///   another language) are passed over, this run itself too.
    package init(of manifest: Manifest, history: [Manifest]) {
        let manifest = manifest.vetted
        var movements: [Key: Movement] = [:]
        for list in manifest.lists {
            let earlier = Self.earlierRuns(of: list, before: manifest, in: history)
            guard let previous = Self.predecessor(of: manifest, among: earlier) else { continue }
            let before = previous.vetted.titles.filter { $0.list == list }
            let ranks = Dictionary(before.map { (Key($0), $0.rank) }, uniquingKeysWith: min)
            let depth = before.map(\.rank).max() ?? 0
            let known = Set(earlier.lazy.flatMap(\.titles).filter { $0.list == list }.map(Key.init))
            for title in manifest.titles where title.list == list {
                let key = Key(title)
                if let rank = ranks[key] {
                    movements[key] = rank == title.rank ? .same : rank > title.rank ? .up(rank - title.rank) : .down(title.rank - rank)
                } else if title.rank <= depth {
                    movements[key] = known.contains(key) ? .back : .new
                }
                // Further down than the run before went, nothing is known.
            }
        }
        self.movements = movements
    }

    /// Nil when there is nothing to compare with.
    package subscript(title: Manifest.Title) -> Movement? { movements[Key(title)] }

    /// The run that `manifest` is compared with in `list`: the last whole one of an earlier week, so that a second run in the same week does
    /// not wipe out the week's movements; failing that, the last whole one before it.
    package static func predecessor(of manifest: Manifest, list: String, in history: [Manifest]) -> Manifest? {
        predecessor(of: manifest, among: earlierRuns(of: list, before: manifest, in: history))
    }

    // MARK: - Private

    /// Oldest first.
    private static func earlierRuns(of list: String, before manifest: Manifest, in history: [Manifest]) -> [Manifest] {
        history.filter {
            $0.complete && $0.run != manifest.run && $0.startedAt < manifest.startedAt && $0.language == manifest.language
                && $0.lists.contains(list)
        }
        .sorted { ($0.startedAt, $0.run) < ($1.startedAt, $1.run) }
    }

    private static func predecessor(of manifest: Manifest, among earlier: [Manifest]) -> Manifest? {
        earlier.last { $0.week != manifest.week } ?? earlier.last
    }
}
