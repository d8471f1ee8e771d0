package import FoundationEssentials

/// Where the current time comes from, so that a test can say what time it is.
package struct WallClock: Sendable {
    /// The current time.
    package let now: @Sendable () -> Date

    package init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    /// The machine's clock.
    package static let system = WallClock { Date() }

    /// A clock that always shows `date`.
    package static func stopped(at date: Date) -> WallClock {
        WallClock { date }
    }
}

extension Date {
    /// This time in UTC as ISO 8601 with seconds: `2026-11-30T06:21:44Z`.
    package var iso8601: String {
        formatted(Date.ISO8601FormatStyle())
    }

    /// The time written as `2026-11-30T06:21:44Z`; nil for anything else.
    package init?(iso8601 text: String) {
        guard let date = try? Date(text, strategy: Date.ISO8601FormatStyle()) else { return nil }
        self = date
    }
}
