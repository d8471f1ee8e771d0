/// A moment at which work is cut short.
package struct Deadline: Sendable {
    /// How long after its making it comes, for messages.
    package let duration: Duration
    package let instant: ContinuousClock.Instant

    package init(in duration: Duration) {
        self.duration = duration
        instant = .now + duration
    }

    /// Runs `body` until it ends or the moment comes, whichever is first; then it is cancelled and waited for.
    ///
    /// - Returns: what `body` returned; nil when it was cut short.
    /// - Throws: what `body` throws; `CancellationError` only when the surrounding task is cancelled.
    package func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value? {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask { [instant] in
                try await Task.sleep(until: instant, clock: .continuous)
                return nil
            }
            if let ended = try await group.next(), let value = ended {
                group.cancelAll()
                return value
            }
            group.cancelAll()
            do {
                // It may have ended in the last moment.
                return try await group.next() ?? nil
            } catch is CancellationError {
                try Task.checkCancellation()
                return nil
            }
        }
    }
}
