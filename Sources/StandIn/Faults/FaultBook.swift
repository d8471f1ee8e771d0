internal import Core

/// The rules in force, and how often each was met.
final class FaultBook: Sendable {
    private struct Entry {
        let rule: FaultRule
        var seen: [String: Int] = [:]
        var hits = 0
    }

    private let entries: Mutex<[Entry]>

    init(_ rules: [FaultRule]) {
        entries = Mutex(rules.map { Entry(rule: $0) })
    }

    /// The first rule that hits this request. Every rule that is about it counts it, whichever hits.
    func rule(for area: RequestArea, path: String) -> FaultRule? {
        entries.withLock { entries in
            var found: FaultRule?
            for index in entries.indices {
                let selection = entries[index].rule.selection
                guard selection.isAbout(area: area, path: path) else { continue }
                let number = entries[index].seen[selection.countsEachPath ? path : "", default: 0] + 1
                entries[index].seen[selection.countsEachPath ? path : ""] = number
                guard found == nil, selection.hits(path: path, number: number) else { continue }
                entries[index].hits += 1
                found = entries[index].rule
            }
            return found
        }
    }

    func add(_ rules: [FaultRule]) {
        entries.withLock { $0 += rules.map { Entry(rule: $0) } }
    }

    func removeAll() {
        entries.withLock { $0 = [] }
    }

    /// Each rule and how many answers it has spoilt.
    var report: [(rule: String, hits: Int)] {
        entries.withLock { $0.map { ($0.rule.description, $0.hits) } }
    }
}
