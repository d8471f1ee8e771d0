internal import Core
internal import Transfer

/// Knows what is under way, and says so when something has been for long.
///
/// Everything that a picture waits for has a limit of its own; this is for whoever watches a run that seems to stand still.
final class Watchdog: Sendable {
    /// Made only when it is told, as hardly any is.
    typealias Text = @Sendable () -> String

    private struct Entry {
        let name: Text
        let since: Duration
        var stage: Text
        var nextWord: Duration
    }

    /// Under way for less than this is nothing to speak of; then it is told again each time the time has doubled.
    private static let patience = Duration.seconds(30)
    private static let interval = Duration.seconds(5)
    private static let mostAtOnce = 3

    private let timer: MonotonicTimer
    private let log: Log
    private let entries = Mutex<[String: Entry]>([:])

    init(timer: MonotonicTimer = .system, log: Log) {
        self.timer = timer
        self.log = log
    }

    /// Runs `body`, which is known by `key` as long as it runs.
    func watch<Value>(_ key: String, named name: @escaping @autoclosure Text, _ body: () async throws -> Value) async throws -> Value {
        let now = timer.now()
        entries.withLock { $0[key] = Entry(name: name, since: now, stage: { "starting" }, nextWord: now + Self.patience) }
        defer { _ = entries.withLock { $0.removeValue(forKey: key) } }
        return try await body()
    }

    /// Says what is being done for `key` now.
    func note(_ stage: @escaping @autoclosure Text, for key: String) {
        entries.withLock { $0[key]?.stage = stage }
    }

    /// Looks at what is under way every few seconds, until cancelled.
    func keepLooking() async {
        while (try? await timer.sleep(Self.interval)) != nil { look() }
    }

    /// Warns of what has been under way for long, the longest first.
    func look() {
        let now = timer.now()
        let overdue = entries.withLock { entries in
            let keys = entries.filter { $0.value.nextWord <= now }.keys
            for key in keys {
                guard let entry = entries[key] else { continue }
                entries[key]?.nextWord = now + (now - entry.since)
            }
            return keys.compactMap { entries[$0] }.sorted { $0.since < $1.since }
        }
        for entry in overdue.prefix(Self.mostAtOnce) {
            log.warning("\(entry.name()): under way for \((now - entry.since).components.seconds) s, \(entry.stage())")
        }
        if overdue.count > Self.mostAtOnce { log.warning("\(overdue.count - Self.mostAtOnce) more pictures have been under way for long") }
    }
}
