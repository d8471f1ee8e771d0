internal import Core
internal import Glibc

/// What was added and is not durable yet, and the one thread that makes it so, a group at a time.
///
/// A group is due when it is a little old, large, or asked for. A failure stays: until a flush reports it nothing more is taken, because
/// whoever added to the failed group was told that it would be stored.
final class Committer: Sendable {
    struct Entry: Sendable {
        var staged: [StagedObject] = []
        var change: IndexChange
        var byteCount = 0
        /// Keeps the objects that this entry counts on from being removed until the index names them.
        var removalGuard: RemovalGuard?
    }

    /// Half a second of work is what a `kill -9` can cost; the numbers bound the memory and the time that one transaction takes.
    private enum Limit {
        static let ageMilliseconds = 500
        static let entries = 512
        static let bytes = 64_000_000
    }

    private typealias Waiter = CheckedContinuation<Result<Void, CacheError>, Never>

    private struct State {
        var entries: [Entry] = []
        var byteCount = 0
        var due: timespec?
        var waiters: [Waiter] = []
        var failure: CacheError?
        var isClosed = false

        /// The group to commit now; nil while there is none.
        mutating func takeGroup() -> Monitor<State>.Step<Group> {
            let isFull = entries.count >= Limit.entries || byteCount >= Limit.bytes
            if waiters.isEmpty, !isFull, !isClosed {
                guard let due else { return .wait }
                if timespec.now.isBefore(due) { return .waitUntil(due) }
            }
            let group = Group(entries: entries, waiters: waiters, isLast: isClosed)
            entries = []
            waiters = []
            byteCount = 0
            due = nil
            return .done(group)
        }
    }

    private struct Group {
        let entries: [Entry]
        let waiters: [Waiter]
        let isLast: Bool
    }

    private let monitor = Monitor(State())
    private let currentGuard = Monitor<RemovalGuard?>(nil)
    private let objects: ObjectStore
    private let index: Index
    private let locks: Directory

    init(objects: ObjectStore, index: Index, root: borrowing Directory) throws(CacheError) {
        self.objects = objects
        self.index = index
        locks = try Directory(CacheLayout.locks, in: root)
    }

    /// A guard to hold while staging; shared by all that is staged for about the same group. Blocks while objects are being removed.
    func removalGuard() throws(CacheError) -> RemovalGuard {
        if let shared = currentGuard.change({ $0 }) { return shared }
        // Not under the mutex: the committing thread must be able to go on, for whoever removes waits for it.
        let fresh = try RemovalGuard(locks: locks)
        return currentGuard.change { current in
            if current == nil { current = fresh }
            return current ?? fresh
        }
    }

    /// - Throws: the failure of an earlier group; the entry is then not taken, and what it staged is the caller's to discard.
    func add(_ entry: Entry) throws(CacheError) {
        try monitor.change { state throws(CacheError) in
            if let failure = state.failure { throw failure }
            if state.due == nil { state.due = timespec.now.advanced(byMilliseconds: Limit.ageMilliseconds) }
            state.entries.append(entry)
            state.byteCount += entry.byteCount
        }
    }

    /// Returns when all that was added before is durable and indexed; reports a failure once.
    func flush() async throws(CacheError) {
        let result = await withCheckedContinuation { continuation in
            monitor.change { $0.waiters.append(continuation) }
        }
        try result.get()
    }

    /// Commits groups until the cache is closed and nothing is left. Blocks its thread.
    func run() -> CacheError? {
        while true {
            let group = monitor.wait { $0.takeGroup() }
            // What is staged from now on belongs to a later group, with a guard of its own.
            currentGuard.change { $0 = nil }
            let failure = commit(group.entries)
            let reported = monitor.change { state -> CacheError? in
                state.failure = state.failure ?? failure
                defer { if !group.waiters.isEmpty { state.failure = nil } }
                return state.failure
            }
            for waiter in group.waiters { waiter.resume(returning: reported.map { .failure($0) } ?? .success(())) }
            if group.isLast { return reported }
        }
    }

    /// Lets ``run()`` commit what is left, and return.
    func close() {
        monitor.change { $0.isClosed = true }
    }

    // MARK: - Private

    private func commit(_ entries: [Entry]) -> CacheError? {
        guard !entries.isEmpty else { return nil }
        let staged = entries.flatMap(\.staged)
        do throws(CacheError) {
            if entries.contains(where: { $0.removalGuard != nil }) { try objects.publish(staged) }
            try index.apply(entries.map(\.change))
            return nil
        } catch {
            objects.discard(staged)
            return error
        }
    }
}
