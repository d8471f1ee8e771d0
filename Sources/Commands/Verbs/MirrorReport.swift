internal import Core
internal import Mirroring

/// What `posterity mirror` prints when it is done.
struct MirrorReport {
    private let outcome: Mirror.Outcome
    private let cacheRoot: String

    init(_ outcome: Mirror.Outcome, cacheRoot: String) {
        self.outcome = outcome
        self.cacheRoot = cacheRoot
    }

    /// A few lines for a person.
    var text: [UInt8] {
        let summary = outcome.summary
        var lines = ["\(outcome.lists.joined(separator: ", ")), \(outcome.week): \(Self.count(summary.titles, "title"))"]
        lines.append("  pictures    " + parts)
        lines.append("  renditions  \(summary.rendered) made")
        if summary.withoutPoster > 0 { lines.append("  no poster   \(Self.count(summary.withoutPoster, "title"))") }
        for (reason, count) in Self.sorted(summary.reasons) {
            lines.append("  failed      \(count) × \(reason)")
        }
        if let details = summary.details {
            lines.append("  details     " + Self.parts(of: details))
            for (reason, count) in Self.sorted(details.reasons) { lines.append("  no answer   \(count) × \(reason)") }
        }
        lines.append("  network     \(Self.count(summary.requests, "request")), \(summary.bytes)")
        lines.append("  time        \(Self.seconds(summary.seconds))")
        lines.append("Manifest: \(cacheRoot)/\(outcome.manifestPath)")
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// The same as one JSON object.
    func json() throws -> [UInt8] {
        try JSONText.encode(
            Machine(
                cache: cacheRoot, manifest: outcome.manifestPath, run: outcome.run, week: outcome.week,
                summary: outcome.summary))
    }

    static func text(of preview: MirrorPreview) -> String {
        var text = """
            \(count(preview.titles, "title")), \(count(preview.pictures, "picture"))
              to fetch    \(preview.toFetch)
              to ask      \(preview.toRevalidate), whether they have changed
              settled     \(preview.settled)
              to render   \(preview.toRender)

            """
        if let details = preview.details { text += "  details     \(line(of: details))\n" }
        for url in preview.urlsToAsk { text += url.printable + "\n" }
        return text
    }

    // MARK: - Private

    private struct Machine: Encodable {
        let cache: String
        let manifest: String
        let run: String
        let week: String
        let summary: MirrorSummary
    }

    private var parts: String {
        let summary = outcome.summary
        let counts = [
            ("fetched", summary.fetched), ("unchanged", summary.unchanged), ("fresh", summary.fresh), ("kept from earlier", summary.kept),
            ("failed", summary.failed),
        ]
        let shown = counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
        return shown.isEmpty ? "none" : shown.joined(separator: ", ")
    }

    private static func parts(of details: DetailsSummary) -> String {
        let counts = [
            ("fetched", details.fetched), ("fresh", details.fresh), ("kept from earlier", details.kept), ("missing", details.missing),
        ]
        let shown = counts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
        return shown.isEmpty ? "none" : shown.joined(separator: ", ")
    }

    private static func line(of details: MirrorPreview.Details) -> String {
        var line = "\(count(details.toAsk, "request")), \(details.settled) settled"
        if let wait = details.waitSeconds, wait > 0, let pace = details.requestsPerMinute {
            line += "; about \(Duration.seconds(wait).inMinutes), at \(pace) requests a minute"
        }
        return line
    }

    /// The most frequent first.
    private static func sorted(_ reasons: [String: Int]) -> [(key: String, value: Int)] {
        reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    private static func seconds(_ seconds: Double) -> String {
        let tenths = Int((seconds * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
