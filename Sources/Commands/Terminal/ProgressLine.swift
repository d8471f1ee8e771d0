package import Core

/// How far a run is, as a line of text for any width.
package struct ProgressLine: Sendable, Hashable {
    /// What is being done: `mirroring`.
    package var label: String
    /// What is counted: `pictures`.
    package var unit: String
    package var done = 0
    /// Nil when it is not known yet.
    package var total: Int?
    package var failed = 0
    package var bytes = ByteCount(0)
    /// Done per second, lately; nil until there is something to measure.
    package var rate: Double?
    /// The time left, when it is known better than by the rate: work that waits for its turn goes by bursts.
    package var timeLeft: Duration?
    /// What is worth knowing now: `waiting 12s for the host`.
    package var note = ""

    package init(label: String, unit: String) {
        self.label = label
        self.unit = unit
    }

    /// The line for a terminal, at most `width` columns wide: the less room, the less it says, the counts last.
    package func render(width: Int, unicode: Bool = true, style: TextStyle = .plain) -> String {
        let count = total.map { "\(done)/\($0)" } ?? "\(done)"
        let failures = failed > 0 ? "\(failed) failed" : ""
        let separator = unicode ? " · " : ", "
        // Each next set says less than the one before.
        let candidates: [(parts: [String], hasBar: Bool, hasLabel: Bool)] = [
            (["\(count) \(unit)", failures, rateText, bytesText, timeText], true, true),
            ([count, failures, rateText, bytesText, timeText], true, true),
            ([count, failures, rateText, timeText], true, true),
            ([count, failures, timeText], true, false),
            ([count, failures, timeText], false, false),
            ([count, failures], false, false),
            ([count], false, false),
        ]
        // The bar's length follows from the width alone, so that it does not jump when a number grows.
        let barColumns = min(30, max(10, width / 4))
        for candidate in candidates {
            let text = candidate.parts.filter { !$0.isEmpty }.joined(separator: separator)
            let lead = candidate.hasLabel ? label + " " : ""
            let hasBar = candidate.hasBar && total != nil
            let used = lead.displayWidth + text.displayWidth + (hasBar ? barColumns + 1 : 0)
            guard used <= width else { continue }
            let bar = hasBar ? bar(columns: barColumns, unicode: unicode, style: style) + " " : ""
            let room = width - used - separator.displayWidth
            let tail = !note.isEmpty && room >= 8 ? separator + note.printable.fitted(to: room, ellipsis: unicode ? "…" : "...") : ""
            return lead + bar + paint(text, failures, style) + tail
        }
        return ""
    }

    /// The line for a file or a pipe.
    package var plain: String {
        var text = "\(label): \(done)"
        if let total { text += " of \(total)" }
        text += " \(unit)"
        if let total, total > 0 { text += " (\(done * 100 / total) %)" }
        for part in [failed > 0 ? "\(failed) failed" : "", rateText, bytesText, timeText, note.printable] where !part.isEmpty {
            text += ", " + part
        }
        return text
    }

    // MARK: - Private

    private var rateText: String {
        guard let rate, rate > 0 else { return "" }
        return rate < 10 ? "\(Double(Int(rate * 10)) / 10)/s" : "\(Int(rate))/s"
    }

    private var bytesText: String { bytes.bytes > 0 ? bytes.description : "" }

    /// The time left, by default at the present rate.
    private var timeText: String {
        if let timeLeft { return Self.text(ofTimeLeft: timeLeft) }
        guard let total, let rate, rate > 0, done < total else { return "" }
        let seconds = (Double(total - done) / rate).rounded(.up)
        return seconds < 100 * 86_400 ? Self.text(ofTimeLeft: .seconds(seconds)) : ""
    }

    /// `14m left`, rounded so that it does not flicker.
    static func text(ofTimeLeft time: Duration) -> String {
        let seconds = Int(time.components.seconds)
        return DurationText.describe(.seconds(seconds < 120 ? seconds : seconds / 60 * 60)) + " left"
    }

    private func bar(columns: Int, unicode: Bool, style: TextStyle) -> String {
        guard let total, total > 0 else { return String(repeating: unicode ? "─" : "-", count: columns) }
        let filled = min(columns, columns * done / total)
        let rest = String(repeating: unicode ? "─" : "-", count: columns - filled)
        return style.name(String(repeating: unicode ? "━" : "#", count: filled)) + (rest.isEmpty ? "" : style.faint(rest))
    }

    private func paint(_ text: String, _ failures: String, _ style: TextStyle) -> String {
        guard style.hasColour, !failures.isEmpty, let range = text.firstRange(of: failures) else { return text }
        return text.replacingSubrange(range, with: style.warning(failures))
    }
}

extension String {
    fileprivate func replacingSubrange(_ range: Range<String.Index>, with replacement: String) -> String {
        self[..<range.lowerBound] + replacement + self[range.upperBound...]
    }
}
