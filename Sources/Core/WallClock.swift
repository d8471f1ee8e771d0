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
        // Written by hand, since a long list has this four times a title: the library's way takes some fifty times as long.
        let seconds = Int(timeIntervalSince1970.rounded(.down))
        guard (0..<253_402_300_800).contains(seconds) else { return formatted(Date.ISO8601FormatStyle()) }
        let day = CalendarDay(daysSince1970: seconds.floored(by: 86_400))
        let time = seconds - seconds.floored(by: 86_400) * 86_400
        return String(unsafeUninitializedCapacity: 20) { text in
            func write(_ number: Int, digits: Int, at place: Int, then mark: Unicode.Scalar) {
                var rest = number
                for index in stride(from: place + digits - 1, through: place, by: -1) {
                    text[index] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                }
                text[place + digits] = UInt8(ascii: mark)
            }
            write(day.year, digits: 4, at: 0, then: "-")
            write(day.month, digits: 2, at: 5, then: "-")
            write(day.day, digits: 2, at: 8, then: "T")
            write(time / 3_600, digits: 2, at: 11, then: ":")
            write(time / 60 % 60, digits: 2, at: 14, then: ":")
            write(time % 60, digits: 2, at: 17, then: "Z")
            return 20
        }
    }

    /// The time written as `2026-11-30T06:21:44Z`; nil for anything else.
    package init?(iso8601 text: String) {
        guard let date = try? Date(text, strategy: Date.ISO8601FormatStyle()) else { return nil }
        self = date
    }
}
