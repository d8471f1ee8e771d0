/// Finds what was probably meant by a mistyped word.
package enum Suggestion {
    /// The candidate nearest to `word`, or nil when none is near enough to be worth naming.
    ///
    /// Near enough means: one slip (a letter too many, too few, wrong, or two swapped) per three letters, or at least three letters that a
    /// candidate begins with. Of equally near ones the first wins.
    package static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
        let wanted = Array(word.lowercased())
        guard wanted.count > 1 else { return nil }
        var best: (candidate: String, distance: Int)?
        var completed: String?
        for candidate in candidates {
            let letters = Array(candidate.lowercased())
            if wanted.count >= 3, completed == nil, letters.starts(with: wanted) { completed = candidate }
            guard abs(letters.count - wanted.count) <= tolerance(for: wanted) else { continue }
            let distance = distance(wanted, letters)
            if distance <= tolerance(for: wanted), distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.candidate ?? completed
    }

    /// The Damerau-Levenshtein distance, in the form that edits no letter twice.
    package static func distance(_ left: [Character], _ right: [Character]) -> Int {
        guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for row in 1...left.count {
            var current = [row]
            current.reserveCapacity(right.count + 1)
            for column in 1...right.count {
                let substitution = previous[column - 1] + (left[row - 1] == right[column - 1] ? 0 : 1)
                var cheapest = min(previous[column] + 1, current[column - 1] + 1, substitution)
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                    cheapest = min(cheapest, beforePrevious[column - 2] + 1)
                }
                current.append(cheapest)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[right.count]
    }

    // MARK: - Private

    private static func tolerance(for word: [Character]) -> Int { max(1, word.count / 3) }
}
