internal import Core

/// What has just failed, and is not tried again for a while. As many are remembered as fit the bound, the latest.
final class Troubles<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let value: Value
        let until: ContinuousClock.Instant
    }

    private let entries: Mutex<Generations<Key, Entry>>

    init(bound: Int) {
        entries = Mutex(Generations(bound: bound))
    }

    func remember(_ value: Value, of key: Key, for time: Duration) {
        entries.withLock { $0.set(key, Entry(value: value, until: .now + time)) }
    }

    /// Nil when there was none, or its time is over.
    subscript(key: Key) -> Value? {
        entries.withLock { entries in
            guard let entry = entries[key] else { return nil }
            if entry.until > .now { return entry.value }
            entries.remove(key)
            return nil
        }
    }
}
