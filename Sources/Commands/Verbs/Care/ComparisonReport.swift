internal import Core
internal import Mirroring

/// What `posterity runs A..B` prints.
enum ComparisonReport {
    static func text(of comparison: RunComparison) -> String {
        let moved = comparison.moved.sorted { ($0.list, $0.rankNow ?? 0) < ($1.list, $1.rankNow ?? 0) }
        let changed = Dictionary(grouping: comparison.changedPictures) { "\($0.list) \($0.mediaType)/\($0.id)" }.values
            .sorted { ($0[0].title, $0[0].id) < ($1[0].title, $1[0].id) }
        let sections: [(String, [String])] = [
            ("Added", comparison.added.map { "\(rank($0.rankNow))  \(name($0.title, $0.mediaType, $0.id))" }),
            ("Gone", comparison.gone.map { "\(rank($0.rankBefore))  \(name($0.title, $0.mediaType, $0.id))" }),
            ("Moved", moved.map { "\(rank($0.rankNow))  \(arrow($0))  \(name($0.title, $0.mediaType, $0.id))" }),
            (
                "Changed picture",
                changed.map { pictures in
                    let sizes = pictures.map { "\($0.size)\($0.now == nil ? " is gone" : $0.before == nil ? " is there now" : "")" }
                    return "\(name(pictures[0].title, pictures[0].mediaType, pictures[0].id)): \(sizes.joined(separator: ", "))"
                }
            ),
        ]
        var text = "From \(comparison.from) to \(comparison.to)\n"
        for (heading, lines) in sections where !lines.isEmpty {
            text += "\n\(heading): \(lines.count)\n" + lines.map { "  \($0)\n" }.joined()
        }
        return sections.allSatisfy { $0.1.isEmpty } ? text + "\nNothing changed.\n" : text
    }

    private static func rank(_ rank: Int?) -> String {
        let number = "\(rank ?? 0)"
        return String(repeating: " ", count: max(0, 4 - number.count)) + number
    }

    private static func arrow(_ title: RunComparison.Title) -> String {
        let places = (title.rankBefore ?? 0) - (title.rankNow ?? 0)
        let text = places > 0 ? "▲ \(places)" : "▼ \(-places)"
        return text + String(repeating: " ", count: max(0, 5 - text.count))
    }

    private static func name(_ title: String, _ mediaType: String, _ id: Int) -> String {
        "\(title.printable) (\(mediaType)/\(id))"
    }
}
