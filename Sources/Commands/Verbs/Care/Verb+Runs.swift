internal import Core
internal import FoundationEssentials
internal import Mirroring
internal import Storage

extension Verb {
    private static let range = Positional<String?>.optional(
        "A..B", .text("A..B"), defaultText: "all runs, in a table",
        "Two runs to compare, each by its name or how it begins, an ISO week, or a list; without A the run before B, without B the latest")

    /// `posterity runs [A..B]`.
    static let runs = Verb(
        "runs", in: .care, "List the runs, or say what changed between two of them",
        discussion: """
            Without an argument, a table of all runs, oldest first. With A..B, what is different in B: titles that came, went or moved, and
            pictures that are others now.
            """,
        positionals: [range], flags: [Flags.cache, Flags.json],
        examples: [
            Example("posterity runs", "All runs:"),
            Example("posterity runs 2026-W48..2026-W49", "What changed from one week to the next:"),
            Example("posterity runs ..", "What changed in the latest run:"),
        ]
    ) { arguments, context in
        let bytes = try await withCache(arguments, context) { cache in
            guard let text = arguments[range] else { return try await table(of: cache, arguments, context) }
            let comparison = try await comparison(text, cache)
            return try arguments[Flags.json] ? JSONText.encode(comparison) : Array(ComparisonReport.text(of: comparison).utf8)
        }
        try context.output.write(bytes)
        return .done
    }

    // MARK: - All runs

    private static func table(of cache: Cache, _ arguments: Arguments, _ context: Context) async throws -> [UInt8] {
        let runs = try await RunLibrary(cache).everything()
        let pinned = try await cache.pinnedRuns()
        for (_, why) in runs.unreadable.sorted(by: { $0.key < $1.key }) { context.log.warning(why) }
        let rows = runs.manifests.map { RunRow($0, isPinned: pinned.contains($0.run)) }
        if arguments[Flags.json] { return try JSONText.encode(rows) }
        guard !rows.isEmpty else { return Array("There is no run yet in \(cache.root.printable).\n".utf8) }
        var table = TextTable([
            ("run", .left), ("week", .left), ("lists", .left), ("titles", .right), ("pictures", .right), ("missing", .right), ("", .left),
        ])
        for row in rows {
            let marks = [row.pinned ? "pinned" : nil, row.complete ? nil : "interrupted"].compactMap(\.self)
            table.add([
                row.run, row.week, row.lists.joined(separator: ", "), "\(row.titles)", "\(row.pictures)", "\(row.missing)",
                marks.joined(separator: ", "),
            ])
        }
        return Array(table.text.utf8)
    }

    private struct RunRow: Encodable {
        let run: String
        let week: String
        let lists: [String]
        let language: String
        let startedAt: Date
        let titles: Int
        /// Originals.
        let pictures: Int
        /// Titles that have a poster, and lack it in at least one size.
        let missing: Int
        let pinned: Bool
        let complete: Bool

        init(_ manifest: Manifest, isPinned: Bool) {
            (run, week, lists, language) = (manifest.run, manifest.week, manifest.lists, manifest.language)
            (startedAt, titles, pinned, complete) = (manifest.startedAt, manifest.titles.count, isPinned, manifest.complete)
            pictures = Set(manifest.titles.compactMap(\.poster).flatMap(\.sizes.values).compactMap(\.original?.url)).count
            missing = manifest.titles.count { $0.missing != nil && $0.missing?.reason != .noPoster }
        }
    }

    // MARK: - Two runs

    private static func comparison(_ text: String, _ cache: Cache) async throws -> RunComparison {
        guard let dots = text.firstRange(of: ".."), !text[dots.upperBound...].contains("..") else {
            throw UsageError("\"\(text)\" is not two runs; give them as A..B, or as \"\(text)..\" for what changed since")
        }
        let (before, after) = (String(text[..<dots.lowerBound]), String(text[dots.upperBound...]))
        let library = RunLibrary(cache)
        let now = try await library.run(after.isEmpty ? nil : after)
        if !before.isEmpty { return RunComparison(from: try await library.run(before), to: now) }
        guard let previous = try await library.run(before: now) else {
            throw UsageError("there is no run of \(now.lists.joined(separator: ", ")) before \(now.run) to compare it with")
        }
        return RunComparison(from: previous, to: now)
    }
}
