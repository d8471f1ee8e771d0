/// Time that only goes forward, and waiting in it; a test brings its own, so that it need not wait.
package struct MonotonicTimer: Sendable {
    /// Time since some fixed moment.
    package let now: @Sendable () -> Duration
    /// - Throws: `CancellationError` when the task is cancelled.
    package let sleep: @Sendable (Duration) async throws -> Void

    package init(now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void) {
        self.now = now
        self.sleep = sleep
    }

    package static let system: MonotonicTimer = {
        let start = ContinuousClock.now
        return MonotonicTimer(now: { ContinuousClock.now - start }, sleep: { try await Task.sleep(for: $0) })
    }()
}
