internal import Core
internal import FoundationEssentials

/// Dates as HTTP writes them: `Mon, 30 Nov 2026 06:21:44 GMT`.
enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    static func text(_ date: Date) -> String {
        // 2026-11-30T06:21:44Z has all the numbers; 1 January 1970 was a Thursday.
        let parts = date.iso8601.split { "-T:Z".contains($0) }
        let weekday = days[((Int((date.timeIntervalSince1970 / 86_400).rounded(.down)) % 7) + 7) % 7]
        return "\(weekday), \(parts[2]) \(months[Int(parts[1])! - 1]) \(parts[0]) \(parts[3]):\(parts[4]):\(parts[5]) GMT"
    }

    /// The date written as `text`, in the form above only; nil for anything else.
    static func date(_ text: String) -> Date? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: String(parts[2])) else { return nil }
        return Date(iso8601: "\(parts[3])-\(month < 9 ? "0" : "")\(month + 1)-\(parts[1])T\(parts[4])Z")
    }
}
