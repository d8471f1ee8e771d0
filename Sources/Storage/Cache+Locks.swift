internal import Core
internal import Glibc

extension Cache {
    /// Runs `body` while no other process mirrors any of `lists`; waits for one that does, and says so in the log.
    ///
    /// The second of two mirrors of the same list then finds all that the first one fetched. Locks are taken in the order of their names,
    /// so that two runs with several lists in common cannot wait for each other. A process that dies gives its locks back.
    ///
    /// - Parameter latest: when to stop waiting; nil for never.
    /// - Throws: ``CacheError`` with the code `busy` when that moment has come, `CancellationError` when cancelled while waiting, ``CacheError``, or what `body` throws.
    package func withListLocks<Value>(
        _ lists: [String], until latest: ContinuousClock.Instant? = nil, _ body: () async throws -> Value
    ) async throws -> Value {
        guard session != nil else { throw ObjectStore.readOnly(root) }
        var locks: [HeldLock] = []
        for list in Set(lists).sorted() { locks.append(try await lock(list, until: latest)) }
        defer { withExtendedLifetime(locks) {} }
        return try await body()
    }

    /// A lock that can be kept in an array.
    private final class HeldLock: Sendable {
        let lock: FileLock

        init(_ lock: consuming FileLock) {
            self.lock = lock
        }
    }

    private func lock(_ list: String, until latest: ContinuousClock.Instant?) async throws -> HeldLock {
        // List names have slashes; the digest keeps two names that look alike apart.
        let readable = String(list.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }.prefix(60))
        let name = "list-\(readable)-\(Digest(of: list.utf8).hex.prefix(8))"
        var hasTold = false
        while true {
            if let lock = try tryLock(name) { return lock }
            if !hasTold { log.info("another process is mirroring \(list); waiting until it is done") }
            hasTold = true
            if let latest, .now >= latest {
                throw CacheError(.busy, doing: "mirror", path: list, cause: "another process is mirroring it and the deadline has come")
            }
            // Not a blocking flock: a person who presses Ctrl-C must not have to wait for the other process.
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private func tryLock(_ name: String) throws(CacheError) -> HeldLock? {
        let locks = try Directory(CacheLayout.locks, in: directory)
        let file = try locks.open(name, O_RDWR | O_CREAT, mode: 0o644, doing: "lock")
        guard let lock = try FileLock(ifFree: .exclusive, on: file, path: "\(locks.path)/\(name)") else { return nil }
        return HeldLock(lock)
    }
}
