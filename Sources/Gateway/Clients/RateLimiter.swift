internal import Core

/// How much each client may ask: a bucket of a minute's requests, filled evenly.
final class RateLimiter<Key: Hashable & Sendable>: Sendable {
    private struct Bucket {
        var left: Double
        var at: ContinuousClock.Instant
    }

    /// More clients at once are not told apart for long: whoever has not come for longest begins anew, with a full bucket.
    private static var mostClients: Int { 20_000 }

    private let capacity: Double
    private let buckets = Mutex(Generations<Key, Bucket>(bound: mostClients))

    /// - Parameter perMinute: at least 1.
    init(perMinute: Int) {
        capacity = Double(perMinute)
    }

    /// Takes one request out of a client's bucket.
    ///
    /// - Returns: nil when it may pass; else after how many seconds the next one may.
    func take(_ key: Key, now: ContinuousClock.Instant = .now) -> Int? {
        buckets.withLock { buckets in
            var bucket = buckets[key] ?? Bucket(left: capacity, at: now)
            let perSecond = capacity / 60
            bucket.left = min(capacity, bucket.left + max(0, (now - bucket.at) / .seconds(1)) * perSecond)
            bucket.at = now
            defer { buckets.set(key, bucket) }
            guard bucket.left >= 1 else { return Int(((1 - bucket.left) / perSecond).rounded(.up)) }
            bucket.left -= 1
            return nil
        }
    }
}
