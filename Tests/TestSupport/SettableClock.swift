package import Core
package import FoundationEssentials

/// A clock that stands still until the test sets it.
package final class SettableClock: Sendable {
    private let time: Mutex<Date>

    package init(_ start: String = "2026-11-30T06:00:00Z") {
        time = Mutex(Date(iso8601: start)!)
    }

    package var now: Date {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }

    /// - Parameter seconds: below zero for a clock that is set back.
    package func advance(by seconds: TimeInterval) {
        time.withLock { $0 += seconds }
    }

    package var wallClock: WallClock {
        WallClock { self.now }
    }
}
