/// Durations as people write them: `250ms`, `30s`, `10m`, `1h30m`, `7d`.
package enum DurationText {
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
    ]

    /// Nil for what is not a duration; a number without a unit is not one, except `0`.
    package static func parse(_ text: String) -> Duration? {
        if text == "0" { return .zero }
        var rest = Substring(text)
        var total: Int64 = 0
        repeat {
            let digits = rest.prefix { ("0"..."9").contains($0) }
            rest = rest.dropFirst(digits.count)
            let name = rest.prefix { !("0"..."9").contains($0) }
            rest = rest.dropFirst(name.count)
            guard let number = Int64(digits), let unit = units.first(where: { $0.name == name }) else { return nil }
            let (product, tooBig) = number.multipliedReportingOverflow(by: unit.milliseconds)
            let (sum, tooMany) = total.addingReportingOverflow(product)
            guard !tooBig, !tooMany else { return nil }
            total = sum
        } while !rest.isEmpty
        return .milliseconds(total)
    }

    package static func describe(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        var rest = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
        guard rest > 0 else { return "0s" }
        var text = ""
        for unit in units where rest >= unit.milliseconds {
            text += "\(rest / unit.milliseconds)\(unit.name)"
            rest %= unit.milliseconds
        }
        return text
    }
}
