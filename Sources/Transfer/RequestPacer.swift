package import Core
package import FoundationEssentials

/// Lets at most so many requests begin within any 60 seconds, as an API counts them by key.
///
/// The window slides: a request may begin when the one that many before it began 60 s ago. The times can be taken out and put in, so that
/// a caller can share them between processes; hence they are the wall clock's.
package final class RequestPacer: Sendable {
    /// The time that a rate limit is counted over.
    package static let window: Duration = .seconds(60)

    /// How many requests may begin within the window.
    package let requestsPerWindow: Int
    private let clock: WallClock
    private let sleep: @Sendable (Duration) async throws -> Void
    /// When the last requests began, or will begin: a place is booked before it is waited for. Ascending.
    private let times: Mutex<[Date]>

    /// - Parameters:
    ///   - requestsPerWindow: at least 1.
    ///   - recorded: when requests began before, as ``recorded`` gave them.
    package init(
        requestsPerWindow: Int, recorded: [Date] = [], clock: WallClock,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.requestsPerWindow = max(1, requestsPerWindow)
        self.clock = clock
        self.sleep = sleep
        times = Mutex([])
        merge(recorded)
    }

    /// When the requests of the last 60 s began, ascending.
    package var recorded: [Date] {
        let start = clock.now().addingTimeInterval(-Self.window.inSeconds)
        return times.withLock { $0.filter { $0 > start } }
    }

    /// Adds requests that others made. Times beyond one window ahead, of a clock that was set back, are not believed.
    package func merge(_ others: [Date]) {
        let now = clock.now()
        let credible = others.filter { $0 <= now.addingTimeInterval(Self.window.inSeconds) }
        times.withLock { times in
            times = Array((times + credible).sorted().suffix(requestsPerWindow))
        }
    }

    /// Returns when a request may begin, and records it.
    ///
    /// - Throws: `CancellationError`; the place is then given back.
    package func waitForTurn() async throws {
        let (turn, delay) = times.withLock { times in
            let now = clock.now()
            var turn = now
            if times.count >= requestsPerWindow {
                turn = max(now, times[times.count - requestsPerWindow].addingTimeInterval(Self.window.inSeconds))
            }
            // A clock set back by more than a window would make everyone wait for it to catch up.
            if turn.timeIntervalSince(now) > Double(times.count + 1) * Self.window.inSeconds {
                times = []
                turn = now
            }
            let place = times.lastIndex { $0 <= turn }.map { $0 + 1 } ?? 0
            times.insert(turn, at: place)
            return (turn, turn.timeIntervalSince(now))
        }
        prune()
        guard delay > 0 else { return }
        do {
            try await sleep(.seconds(delay))
        } catch {
            times.withLock { times in
                if let index = times.lastIndex(of: turn) { times.remove(at: index) }
            }
            throw error
        }
    }

    /// Forgets what no longer bounds anything: a window and more ago.
    private func prune() {
        let start = clock.now().addingTimeInterval(-Self.window.inSeconds)
        times.withLock { times in
            times.removeAll { $0 <= start }
        }
    }
}

extension Duration {
    fileprivate var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}
