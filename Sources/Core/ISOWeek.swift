package import FoundationEssentials

/// A week of ISO 8601, such as `2026-W48`: Monday to Sunday, numbered so that week 1 holds the year's first Thursday.
package struct ISOWeek: Sendable, Hashable, Comparable, Codable {
    package let year: Int
    package let week: Int

    /// The week that `date` falls in, by UTC.
    package init(containing date: Date) {
        // Days since Monday, 29 December 1969, so that whole weeks divide evenly; then the week's Thursday names its year.
        let day = Int((date.timeIntervalSince1970 / 86_400).rounded(.down))
        let monday = day - Self.floorModulo(day + 3, 7)
        let thursday = monday + 3
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let named = Date(timeIntervalSince1970: Double(thursday) * 86_400)
        year = calendar.component(.year, from: named)
        week = (calendar.component(.dayOfYear, from: named) - 1) / 7 + 1
    }

    /// The week written as `2026-W48`; nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].count == 4, parts[1].count == 3, parts[1].hasPrefix("W"),
            let year = Int(parts[0]), let week = Int(parts[1].dropFirst()), (1...53).contains(week)
        else { return nil }
        self.year = year
        self.week = week
    }

    package static func < (left: ISOWeek, right: ISOWeek) -> Bool {
        (left.year, left.week) < (right.year, right.week)
    }

    private static func floorModulo(_ value: Int, _ modulus: Int) -> Int {
        let remainder = value % modulus
        return remainder < 0 ? remainder + modulus : remainder
    }
}

extension ISOWeek: CustomStringConvertible {
    package var description: String { "\(year)-W" + (week < 10 ? "0\(week)" : "\(week)") }
}
