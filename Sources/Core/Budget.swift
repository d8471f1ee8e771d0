/// A bounded amount of something, bytes or downloads or pixels, that tasks take a share of and give back.
///
/// First come, first served, so that a large request is not starved by small ones. A request larger than the whole takes the whole:
/// it waits until it is alone, and then goes ahead.
package final class Budget: Sendable {
    private struct Waiter {
        let id: Int
        let amount: Int
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var available: Int
        var waiters: [Waiter] = []
        var nextID = 0
        /// Waiters that were cancelled before they had queued up.
        var cancelledEarly: Set<Int> = []

        /// Those at the head of the queue whose amounts are now available.
        mutating func admit() -> [CheckedContinuation<Bool, Never>] {
            var admitted: [CheckedContinuation<Bool, Never>] = []
            while let first = waiters.first, first.amount <= available {
                available -= first.amount
                admitted.append(first.continuation)
                waiters.removeFirst()
            }
            return admitted
        }
    }

    /// The whole amount.
    package let total: Int
    private let state: Mutex<State>

    /// - Parameter total: at least 1.
    package init(_ total: Int) {
        self.total = max(1, total)
        state = Mutex(State(available: self.total))
    }

    /// Runs `body` while holding `amount`, and gives it back on every path.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits; else what `body` throws.
    package func withShare<Value>(_ amount: Int = 1, _ body: () async throws -> Value) async throws -> Value {
        let amount = min(max(0, amount), total)
        guard await take(amount) else { throw CancellationError() }
        defer { giveBack(amount) }
        return try await body()
    }

    // MARK: - Private

    /// Whether the amount was had; false when the task was cancelled first.
    private func take(_ amount: Int) async -> Bool {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        // A cancellation that comes just after the admission leaves its mark behind; wipe it.
        defer { _ = state.withLock { $0.cancelledEarly.remove(id) } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    if state.cancelledEarly.remove(id) != nil { return false }
                    if state.waiters.isEmpty, amount <= state.available {
                        state.available -= amount
                        return true
                    }
                    state.waiters.append(Waiter(id: id, amount: amount, continuation: continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func cancel(_ id: Int) {
        let (cancelled, admitted): (CheckedContinuation<Bool, Never>?, [CheckedContinuation<Bool, Never>]) = state.withLock { state in
            guard let index = state.waiters.firstIndex(where: { $0.id == id }) else {
                state.cancelledEarly.insert(id)
                return (nil, [])
            }
            let waiter = state.waiters.remove(at: index)
            return (waiter.continuation, state.admit())
        }
        cancelled?.resume(returning: false)
        for continuation in admitted { continuation.resume(returning: true) }
    }

    private func giveBack(_ amount: Int) {
        let admitted = state.withLock { state in
            state.available += amount
            return state.admit()
        }
        for continuation in admitted { continuation.resume(returning: true) }
    }
}
