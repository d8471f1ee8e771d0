internal import FoundationEssentials

/// Dates as HTTP writes them: `Mon, 30 Nov 2026 06:21:44 GMT`.
enum HTTPDate {
    static func text(_ date: Date) -> String {
        date.formatted(.http)
    }

    static func date(_ text: String) -> Date? {
        try? Date(text, strategy: .http)
    }
}
