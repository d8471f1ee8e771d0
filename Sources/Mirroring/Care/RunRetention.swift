internal import Core
package import FoundationEssentials

/// Which runs stay.
///
/// Counted for each list by itself (and each language), so that a list mirrored every hour does not push out one mirrored every week.
package struct RunRetention: Sendable {
    package enum Rule: Sendable, Equatable {
        /// The newest so many runs.
        case runs(Int)
        /// All runs of the newest so many weeks that have any. Not weeks of the calendar: a mirror left alone for a season loses nothing.
        case weeks(Int)
    }

    package var rule: Rule
    /// Runs that began since then stay as well.
    package var since: Date?

    package init(_ rule: Rule, since: Date? = nil) {
        self.rule = rule
        self.since = since
    }

    /// The names of the runs that need not stay, oldest first.
    ///
    /// - Parameter pinned: names of runs that stay in any case.
    package func removable(of manifests: [Manifest], pinned: Set<String>) -> [String] {
        struct Series: Hashable {
            let lists: [String]
            let language: String
        }
        let removable = Dictionary(grouping: manifests) { Series(lists: $0.lists, language: $0.language) }.values.flatMap { runs in
            let newestFirst = runs.sorted { $0.run > $1.run }
            switch rule {
            case .runs(let count):
                return Array(newestFirst.dropFirst(count))
            case .weeks(let count):
                let weeks = Set(Set(newestFirst.map(\.week)).sorted(by: >).prefix(count))
                return newestFirst.filter { !weeks.contains($0.week) }
            }
        }
        return removable.filter { run in !pinned.contains(run.run) && since.map { run.startedAt < $0 } ?? true }.map(\.run).sorted()
    }
}
