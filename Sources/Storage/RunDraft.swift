internal import Core
internal import Glibc

/// The body of a run's record while the run goes on: what is added stands one after the other, in memory as long as it is little, then in a file
/// of the session's, so that a long list's record takes no memory.
package final class RunDraft: Sendable {
    private struct State {
        var pending: [UInt8] = []
        /// Of the file that holds what came before `pending`; nil while nothing does.
        var fileName: String?
    }

    private static let pendingLimit = 1_000_000

    private let session: Session
    private let state = Mutex(State())

    init(session: Session) {
        self.session = session
    }

    deinit {
        // What cannot be removed now is swept with the session.
        if let name = state.withLock({ $0.fileName }) { try? session.directory.remove(name) }
    }

    /// Whether so much is pending that it should go to the file.
    var isFull: Bool { state.withLock { $0.pending.count >= Self.pendingLimit } }

    func append(_ bytes: [UInt8]) {
        state.withLock { $0.pending += bytes }
    }

    /// Moves what is pending to the file. Called by one thread at a time.
    func spill() throws(CacheError) {
        let (bytes, name) = state.withLock { state in
            defer { state.pending = [] }
            return (state.pending, state.fileName)
        }
        if let name {
            let file = try session.directory.open(name, O_WRONLY | O_APPEND, doing: "write")
            try file.write(all: bytes, path: "\(session.directory.path)/\(name)")
        } else {
            let name = session.newName()
            try session.directory.create(name, mode: 0o600, bytes: bytes, durable: false)
            state.withLock { $0.fileName = name }
        }
    }

    /// Writes all of it to `target`.
    func copy(to target: borrowing FileDescriptor, path: String) throws(CacheError) {
        let (pending, name) = state.withLock { ($0.pending, $0.fileName) }
        if let name {
            let source = try session.directory.open(name, O_RDONLY, doing: "read")
            try source.copyAll(to: target, path: path)
        }
        try target.write(all: pending, path: path)
    }
}

extension Cache {
    /// A draft of a run's record, for ``saveRun(named:_:frame:)``.
    package func runDraft() throws(CacheError) -> RunDraft {
        guard let session else { throw ObjectStore.readOnly(root) }
        return RunDraft(session: session)
    }

    /// Adds to the end of `draft`. Not to be called again before it has returned.
    package func append(_ bytes: [UInt8], to draft: RunDraft) async throws(CacheError) {
        draft.append(bytes)
        guard draft.isFull else { return }
        try await stagingThreads.run { () throws(CacheError) in try draft.spill() }
    }
}
