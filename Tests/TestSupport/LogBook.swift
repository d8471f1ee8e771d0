package import Core

/// Keeps log lines for a test to read.
package final class LogBook: Sendable {
    private let kept = Mutex<[(level: Log.Level, text: String)]>([])

    package init() {}

    package var log: Log {
        Log(minimum: .debug) { level, text in self.kept.withLock { $0.append((level, text)) } }
    }

    package func lines(_ level: Log.Level) -> [String] {
        kept.withLock { $0.filter { $0.level == level }.map(\.text) }
    }
}
