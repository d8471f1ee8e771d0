internal import Core
internal import FoundationEssentials

extension Cache {
    /// Takes one of the requests that an API allows within a sliding minute, counted over all processes that share the cache.
    ///
    /// - Parameter account: what the limit is counted for: a host, or a digest of a key, never the key.
    /// - Returns: nil when the request may be sent now (and is counted); else how long to wait before asking again.
    package func reserveRequest(account: String, perMinute limit: Int) async throws(CacheError) -> Duration? {
        guard session != nil else { throw ObjectStore.readOnly(root) }
        return try await readingThread.run { [index, clock] () throws(CacheError) in
            try index.reserveRequest(account: account, limit: max(1, limit), now: clock.now().milliseconds)
        }
    }

    /// How many requests of `account` count within the sliding minute now.
    package func countedRequests(account: String) async throws(CacheError) -> Int {
        try await readingThread.run { [index, clock] () throws(CacheError) in
            try index.countedRequests(account: account, now: clock.now().milliseconds)
        }
    }
}

extension Index {
    fileprivate func countedRequests(account: String, now: Int64) throws(CacheError) -> Int {
        try read { database throws(CacheError) in
            var count = 0
            try database.prepare("SELECT count(*) FROM requests WHERE account = ?1 AND at > ?2").run(
                account, now - Self.windowMilliseconds
            ) { count = Int($0.integer(0)) }
            return count
        } ?? 0
    }

    /// The API counts requests in any 60 seconds, by when they arrive; the rest is for those that are on the way for longer than the one a
    /// minute later.
    private static let windowMilliseconds: Int64 = 62_000

    fileprivate func reserveRequest(account: String, limit: Int, now: Int64) throws(CacheError) -> Duration? {
        try read { database throws(CacheError) in
            try database.transaction { () throws(CacheError) in
                try database.prepare("DELETE FROM requests WHERE at <= ?1").run(now - Self.windowMilliseconds)
                // A clock that was set back would leave times in the future, and an API unasked for as long as that.
                try database.prepare("UPDATE requests SET at = ?1 WHERE at > ?1").run(now)
                var oldestThatCounts: Int64?
                let nth = try database.prepare("SELECT at FROM requests WHERE account = ?1 ORDER BY at DESC LIMIT 1 OFFSET ?2")
                try nth.run(account, limit - 1) { oldestThatCounts = $0.integer(0) }
                if let oldestThatCounts { return .milliseconds(oldestThatCounts + Self.windowMilliseconds - now) }
                try database.prepare("INSERT INTO requests (account, at) VALUES (?1, ?2)").run(account, now)
                return nil
            }
        } ?? nil
    }
}
