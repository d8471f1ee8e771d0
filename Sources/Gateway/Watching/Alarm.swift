internal import Core

/// Errors that the owner must see, said loudly but not for every request that meets them.
final class Alarm: Sendable {
    private static let interval = Duration.seconds(600)

    private let log: Log
    private let said = Mutex<[String: ContinuousClock.Instant]>([:])

    init(log: Log) {
        self.log = log
    }

    func sound(_ message: String) {
        let now = ContinuousClock.now
        let isDue = said.withLock { said in
            if let last = said[message], now - last < Self.interval { return false }
            // Messages name hosts and files, so there are few; should there be many after all, they are not to grow without end.
            if said.count > 100 { said.removeAll() }
            said[message] = now
            return true
        }
        if isDue { log.error(message) }
    }
}
