internal import Core

/// One piece of work a key at a time: whoever asks for a key that is being worked on waits for the same result.
///
/// The work belongs to no request: it goes on when the client that began it has gone, and it may be begun for nobody.
final class Flights<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    typealias Work = @Sendable () async -> Value
    private typealias Waiter = (id: Int, continuation: CheckedContinuation<Value?, Never>)

    private struct Job {
        let key: Key
        let work: Work
    }

    private struct State {
        var waiters: [Key: [Waiter]] = [:]
        var nextID = 0
        /// Waiters that were cancelled before they had queued up.
        var cancelledEarly: Set<Int> = []
        var isClosed = false
    }

    private let limit: Int
    private let state = Mutex(State())
    private let jobs: AsyncStream<Job>
    private let queue: AsyncStream<Job>.Continuation

    /// - Parameter limit: how many keys may be worked on at once.
    init(limit: Int) {
        self.limit = limit
        (jobs, queue) = AsyncStream.makeStream()
    }

    /// Does the work that is begun, until ``close()``; what is then under way is cancelled and waited for.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await job in jobs {
                group.addTask { self.land(job.key, await job.work()) }
            }
            group.cancelAll()
        }
    }

    /// Begins nothing more.
    func close() {
        state.withLock { $0.isClosed = true }
        queue.finish()
    }

    /// How many keys are being worked on.
    var count: Int { state.withLock { $0.waiters.count } }

    /// Whether `key` is being worked on.
    func isUnderWay(_ key: Key) -> Bool { state.withLock { $0.waiters[key] != nil } }

    /// What `work` makes for `key`, or what is being made for it already.
    ///
    /// - Returns: nil when too much is under way, at the end, and when the task is cancelled.
    func value(for key: Key, _ work: @escaping Work) async -> Value? {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        // A cancellation that comes just after the landing leaves its mark behind; wipe it.
        defer { _ = state.withLock { $0.cancelledEarly.remove(id) } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isTaken, isFirst) = state.withLock { state in
                    let isFirst = state.waiters[key] == nil
                    if state.cancelledEarly.remove(id) != nil || isFirst && !Self.hasRoom(state, limit) { return (false, false) }
                    state.waiters[key, default: []].append((id, continuation))
                    return (true, isFirst)
                }
                guard isTaken else { return continuation.resume(returning: nil) }
                if isFirst { start(Job(key: key, work: work)) }
            }
        } onCancel: {
            cancel(id, key)
        }
    }

    /// Begins `work` for `key` unless it is being worked on, or too much is; nobody waits for it.
    func begin(_ key: Key, _ work: @escaping Work) {
        let isFirst = state.withLock { state in
            guard state.waiters[key] == nil, Self.hasRoom(state, limit) else { return false }
            state.waiters[key] = []
            return true
        }
        if isFirst { start(Job(key: key, work: work)) }
    }

    // MARK: - Private

    private static func hasRoom(_ state: State, _ limit: Int) -> Bool { !state.isClosed && state.waiters.count < limit }

    private func start(_ job: Job) {
        if case .terminated = queue.yield(job) { land(job.key, nil) }
    }

    private func land(_ key: Key, _ value: Value?) {
        let waiters = state.withLock { $0.waiters.removeValue(forKey: key) } ?? []
        for waiter in waiters { waiter.continuation.resume(returning: value) }
    }

    private func cancel(_ id: Int, _ key: Key) {
        let waiter: Waiter? = state.withLock { state in
            guard let index = state.waiters[key]?.firstIndex(where: { $0.id == id }) else {
                state.cancelledEarly.insert(id)
                return nil
            }
            return state.waiters[key]?.remove(at: index)
        }
        waiter?.continuation.resume(returning: nil)
    }
}
