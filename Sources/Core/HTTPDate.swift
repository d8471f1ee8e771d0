package import FoundationEssentials

/// Dates as HTTP writes them: one form to write, three to read (RFC 9110, 5.6.7).
package enum HTTPDate {
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// `Mon, 30 Nov 2026 06:21:44 GMT`.
    package static func text(_ date: Date) -> String {
        // 2026-11-30T06:21:44Z has all the numbers; 1 January 1970 was a Thursday.
        let parts = date.iso8601.split { "-T:Z".contains($0) }
        let day = Int((date.timeIntervalSince1970 / 86_400).rounded(.down))
        let weekday = weekdays[(day % 7 + 7) % 7]
        let month = months[Int(parts[1])! - 1]
        return "\(weekday), \(parts[2]) \(month) \(parts[0]) \(parts[3]):\(parts[4]):\(parts[5]) GMT"
    }

    /// The date written as `text`.
    ///
    /// - Parameter now: decides the century of the old form's two-digit year: at most 50 years ahead.
    /// - Returns: nil for anything that is not one of the three forms.
    package static func parse(_ text: String, now: Date) -> Date? {
        // "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994": a weekday first, then these fields.
        guard text.utf8.count < 64, text.utf8.allSatisfy({ $0 < 128 }) else { return nil }
        let words = text.split(whereSeparator: { $0 == " " || $0 == "," })
        switch words.count {
        case 6 where words[5] == "GMT":
            return date(day: words[1], month: words[2], year: words[3], time: words[4], now: now)
        case 4 where words[3] == "GMT":
            let parts = words[1].split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 3 else { return nil }
            return date(day: parts[0], month: parts[1], year: parts[2], time: words[2], now: now)
        case 5:
            return date(day: words[2], month: words[1], year: words[4], time: words[3], now: now)
        default:
            return nil
        }
    }

    // MARK: - Private

    private static func date(day: Substring, month: Substring, year: Substring, time: Substring, now: Date) -> Date? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
        guard let month = months.firstIndex(where: { $0.lowercased() == month.lowercased() }), year.count == 4 || year.count == 2,
            let day = number(day), let year = number(year), clock.count == 3,
            let hour = number(clock[0]), let minute = number(clock[1]), let second = number(clock[2]),
            (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        var fullYear = year
        if year < 100 {
            let present = Int(now.timeIntervalSince1970 / 31_556_952) + 1_970
            fullYear = present / 100 * 100 + year
            if fullYear > present + 50 { fullYear -= 100 }
        }
        let days = CalendarDay(year: fullYear, month: month + 1, day: day).daysSince1970
        return Date(timeIntervalSince1970: Double(days * 86_400 + hour * 3_600 + minute * 60 + second))
    }

    private static func number(_ digits: Substring) -> Int? {
        guard (1...4).contains(digits.count), digits.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
        return Int(digits)
    }
}
