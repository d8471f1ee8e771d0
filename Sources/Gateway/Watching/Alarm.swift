internal import Core
internal import Storage

/// Errors that the owner must see, said loudly but not for every request that meets them.
final class Alarm: Sendable {
    private static let interval = Duration.seconds(600)

    private let log: Log
    private let said = Mutex<[String: ContinuousClock.Instant]>([:])

    init(log: Log) {
        self.log = log
    }

    /// Says what went wrong; the cache's trouble once a kind, as every sentence names another file.
    func sound(_ error: any Error) {
        let kind = (error as? CacheError).map { error in
            // The rest of what was being done may name files too.
            "\(error.code) \(error.doing.prefix { $0 != " " })"
        }
        sound("\(error)", kind: kind)
    }

    /// - Parameter kind: what is not said again for a while; the message itself, if nil.
    func sound(_ message: String, kind: String? = nil) {
        let kind = kind ?? message
        let now = ContinuousClock.now
        let isDue = said.withLock { said in
            if let last = said[kind], now - last < Self.interval { return false }
            // Messages name hosts and files, so there are few; should there be many after all, they are not to grow without end.
            if said.count > 100 { said.removeAll() }
            said[kind] = now
            return true
        }
        if isDue { log.error(message) }
    }
}
