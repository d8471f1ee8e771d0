package import Core
internal import FoundationEssentials
internal import Glibc

/// The content-addressed cache directory: objects, the index of what URL had which, answers, and the records of runs.
///
/// What is added is staged at once and becomes durable in groups, in an order that holds the design's invariants at every instant:
/// `docs/decisions/0004-durability-and-locks.md`. All blocking work runs on threads of the cache's own.
package final class Cache: Sendable {
    package enum Access: Sendable {
        case readWrite
        /// For a process that stays for good: prune need not keep for its sake what the index names. It must bear it when an object that it
        /// has read of is gone.
        case readWriteBearingRemoval
        /// Never makes or changes anything, and works on a read-only file system.
        case readOnly
    }

    /// The directory's path, as it was given.
    package let root: String
    let access: Access
    let clock: WallClock
    package let log: Log
    let directory: Directory
    let objects: ObjectStore
    let index: Index
    /// Nil when opened for reading only, as is `session`.
    let committer: Committer?
    let session: Session?
    let stagingThreads: WorkerThreads
    let readingThread: WorkerThreads

    private init(
        root: String, access: Access, clock: WallClock, log: Log, stagingThreads: WorkerThreads, readingThread: WorkerThreads
    ) throws(CacheError) {
        self.root = root
        self.access = access
        self.clock = clock
        self.log = log
        self.stagingThreads = stagingThreads
        self.readingThread = readingThread
        switch access {
        case .readOnly:
            directory = try Directory(root)
            guard try FormatFile.read(in: directory) != nil else {
                throw CacheError(.notACache, doing: "read", path: root, cause: "it has no \(CacheLayout.formatFile)")
            }
            session = nil
            objects = try ObjectStore(root: directory, session: nil)
            index = try Index(root: root, access: access, log: log)
            committer = nil
        case .readWrite, .readWriteBearingRemoval:
            try Self.makeDirectories(root)
            directory = try Directory(root)
            try FormatFile.prepare(root: directory)
            // A file-size limit must be an error of the write, not the end of the process.
            signal(SIGXFSZ, SIG_IGN)
            let session = try Session(root: directory, bearsRemoval: access == .readWriteBearingRemoval, log: log)
            self.session = session
            objects = try ObjectStore(root: directory, session: session)
            index = try Index(root: root, access: access, log: log)
            committer = try Committer(objects: objects, index: index, root: directory)
        }
    }

    /// Runs `body` with the cache at `root` open; makes the cache if it is not there and may be written.
    ///
    /// What was added is durable when this returns, also when `body` throws or the task is cancelled.
    /// - Throws: ``CacheError``, or what `body` throws.
    package static func withCache<Value>(
        at root: String, access: Access, clock: WallClock, log: Log, _ body: (Cache) async throws -> Value
    ) async throws -> Value {
        try await WorkerThreads.withThreads(2, named: "cache-stage") { staging in
            try await WorkerThreads.withThreads(1, named: "cache-read") { reading in
                let cache = try await reading.run { () throws(CacheError) in
                    try Cache(root: root, access: access, clock: clock, log: log, stagingThreads: staging, readingThread: reading)
                }
                guard let committer = cache.committer else { return try await body(cache) }
                return try await withCommitter(committer, of: cache, body)
            }
        }
    }

    private static func withCommitter<Value>(
        _ committer: Committer, of cache: Cache, _ body: (Cache) async throws -> Value
    ) async throws -> Value {
        try await WorkerThreads.withThreads(1, named: "cache-commit") { thread in
            async let committing = thread.run { () -> CacheError? in
                defer {
                    cache.index.close()
                    cache.session?.end()
                }
                return committer.run()
            }
            let result: Result<Value, any Error>
            do { result = .success(try await body(cache)) } catch { result = .failure(error) }
            committer.close()
            let failure = await committing
            let value = try result.get()
            if let failure { throw failure }
            return value
        }
    }

    private static func makeDirectories(_ path: String) throws(CacheError) {
        if mkdir(path, 0o755) == 0 || errno == EEXIST { return }
        let failure = errno
        guard failure == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw CacheError(errno: failure, doing: "make the cache", path: path)
        }
        try makeDirectories(String(path[..<slash]))
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw CacheError(errno: errno, doing: "make the cache", path: path) }
    }
}
