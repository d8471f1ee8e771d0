package import Core
internal import FoundationEssentials

/// How many requests an API is sent within a minute: each waits for its turn.
///
/// The count is kept elsewhere, so that all processes with the same key can share it.
package struct RequestPace: Sendable {
    /// Takes one of the requests that are allowed now, or says how long to wait before asking again.
    private let reserve: @Sendable () async throws -> Duration?
    /// How many requests of the last minute count now.
    private let counted: @Sendable () async throws -> Int
    private let sleep: @Sendable (Duration) async throws -> Void
    private let log: Log
    /// Requests that are allowed a minute; nil for no limit.
    package let perMinute: Int?

    /// - Parameters:
    ///   - counted: how many requests of the last minute count now; none for want of an answer.
    ///   - reserve: counts one more, or says how long to wait before asking again.
    package init(
        perMinute: Int? = nil, log: Log, sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        counted: @escaping @Sendable () async throws -> Int = { 0 }, reserve: @escaping @Sendable () async throws -> Duration?
    ) {
        self.perMinute = perMinute
        self.log = log
        self.sleep = sleep
        self.counted = counted
        self.reserve = reserve
    }

    /// As fast as can be.
    package static let unlimited = RequestPace(log: .silent) { nil }

    /// At most `limit` requests a minute of this process alone, for runs that must not write down anything.
    package static func ofThisProcess(perMinute limit: Int, clock: WallClock, log: Log) -> RequestPace {
        let times = Mutex<[Date]>([])
        return RequestPace(
            perMinute: max(1, limit), log: log,
            counted: { times.withLock { times in times.count { clock.now().timeIntervalSince($0) < window } } }
        ) {
            let now = clock.now()
            return times.withLock { times in
                times.removeAll { $0 > now || now.timeIntervalSince($0) >= window }
                guard times.count >= max(1, limit) else {
                    times.append(now)
                    return nil
                }
                return .seconds(window - now.timeIntervalSince(times[0]))
            }
        }
    }

    /// Returns when a request may be sent, which is then counted.
    ///
    /// - Parameter isTold: whether the log says that there is a wait; not for one of many requests, whose wait is told as a whole.
    /// - Throws: what the counting throws, or `CancellationError`.
    package func waitForTurn(saying isTold: Bool = true) async throws {
        var hasTold = !isTold
        while let wait = try await reserve() {
            if !hasTold, wait >= .seconds(1) {
                log.info("waiting \(wait.components.seconds) s, so that the API gets no more requests a minute than the plan allows")
                hasTold = true
            }
            try await sleep(wait)
        }
    }

    /// How long `count` requests that have not been sent yet have to wait all together, should nobody else send any; nil without a limit.
    package func wait(forRequests count: Int) async throws -> Duration? {
        guard let perMinute else { return nil }
        guard count > 0 else { return .zero }
        let windows = (min(try await counted(), perMinute) + count - 1) / perMinute
        return .seconds(Self.window) * windows
    }

    /// A little over a minute: the API counts by when requests arrive.
    private static let window: TimeInterval = 62
}
