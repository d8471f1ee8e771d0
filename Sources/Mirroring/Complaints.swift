internal import Core

/// Warnings of one kind, until there are enough of them.
///
/// When a host is in trouble, hundreds of pictures fail alike; the first few say all that a person needs, and the manifest has every one.
final class Complaints: Sendable {
    private static let enough = 10

    private let log: Log
    private let areErrors: Bool
    private let counts = Mutex<[Reason: Int]>([:])

    /// - Parameter areErrors: says them as errors, for a log that shows nothing less.
    init(log: Log, areErrors: Bool) {
        self.log = log
        self.areErrors = areErrors
    }

    func warn(about reason: Reason, _ message: @autoclosure () -> String) {
        let count = counts.withLock { counts in
            counts[reason, default: 0] += 1
            return counts[reason, default: 0]
        }
        guard count <= Self.enough else { return log.debug(message()) }
        say(message())
        if count == Self.enough { say("more of \(reason) may follow; the manifest has every one, and --verbose shows them") }
    }

    /// One that is said in any case.
    func say(_ message: String) {
        if areErrors { log.error(message) } else { log.warning(message) }
    }
}
