internal import Core
internal import Glibc

/// `index.sqlite`: opened when it is first needed, one connection for the committing thread and one for the reading thread.
final class Index: Sendable {
    /// Readers of a cache that no process has open for writing must be able to read without making SQLite's side files.
    ///
    /// The side file `index.sqlite-wal` exists from a writer's opening to the last writer's closing. Writers open and close while
    /// holding the format file exclusively, readers look and read while holding it shared: so, when a reader sees no side file, no one
    /// writes until it is done, and it may take the database for immutable.
    private let root: Directory
    private let access: Cache.Access
    private let log: Log
    private let writer = Monitor<Connection?>(nil)
    private let reader = Monitor<Connection?>(nil)

    private final class Connection {
        let database: Database
        private let device: dev_t
        private let inode: ino_t

        init(database: consuming Database, device: dev_t, inode: ino_t) {
            self.database = database
            self.device = device
            self.inode = inode
        }

        /// SQLite goes on writing to a deleted file without a word; say it instead.
        func checkIdentity(path: String) throws(CacheError) {
            var status = stat()
            guard stat(path, &status) == 0, status.st_dev == device, status.st_ino == inode else {
                throw CacheError(.notFound, doing: "use", path: path, cause: "it was removed or replaced while in use")
            }
        }
    }

    init(root: String, access: Cache.Access, log: Log) throws(CacheError) {
        self.root = try Directory(root)
        self.access = access
        self.log = log
    }

    var path: String { "\(root.path)/\(CacheLayout.indexFile)" }

    /// Closes the connections; the last process to close folds the side file back into the database.
    func close() {
        guard access != .readOnly else { return }
        // Closing must not fail for want of the lock: the worst is a reader that falls back on the side files.
        let lock = try? lockOpening(.exclusive)
        withExtendedLifetime(lock) {
            reader.change { $0 = nil }
            writer.change { $0 = nil }
        }
    }

    /// Runs `body` on the committing thread's connection.
    func write<Value: Sendable>(_ body: (borrowing Database) throws(CacheError) -> Value) throws(CacheError) -> Value {
        try use(writer, synchronous: "FULL", body)
    }

    /// Runs `body` on the reading thread's connection.
    ///
    /// - Returns: nil when the cache is open for reading and has no index.
    func read<Value: Sendable>(_ body: (borrowing Database) throws(CacheError) -> Value) throws(CacheError) -> Value? {
        if access != .readOnly { return try use(reader, synchronous: "NORMAL", body) }
        return try withOpening(.shared) { () throws(CacheError) in
            guard let status = try root.status(of: CacheLayout.indexFile), status.st_size > 0 else { return nil }
            let database = try openForReading()
            // A process killed while it made the index leaves one without tables; the next writer goes on from there.
            guard try IndexSchema.check(database) > 0 else { return nil }
            return try body(database)
        }
    }

    /// Puts the database `name` of the session's directory in this one's place.
    func replace(with name: String, in session: Session) throws(CacheError) {
        try withOpening(.exclusive) { () throws(CacheError) in
            // Whoever opens the index from now on waits; whoever has it open already has a session.
            guard try !session.othersAreAlive() else {
                throw CacheError(.busy, doing: "rebuild", path: path, cause: "another process has the cache open")
            }
            reader.change { $0 = nil }
            writer.change { $0 = nil }
            // A side file left beside the new database would be played into it.
            try root.remove(CacheLayout.indexFile + "-wal")
            try root.remove(CacheLayout.indexFile + "-shm")
            try root.synchronize()
            try session.directory.rename(name, to: CacheLayout.indexFile, in: root)
            try root.synchronize()
        }
    }

    // MARK: - Private

    private func lockOpening(_ mode: FileLock.Mode) throws(CacheError) -> FileLock {
        let path = "\(root.path)/\(CacheLayout.formatFile)"
        return try FileLock(mode, on: root.open(CacheLayout.formatFile, O_RDONLY), path: path)
    }

    /// Runs `body` while no other process opens or closes the index for writing (shared), or reads it as immutable either (exclusive).
    private func withOpening<Value>(
        _ mode: FileLock.Mode, _ body: () throws(CacheError) -> Value
    ) throws(CacheError) -> Value {
        try withExtendedLifetime(try lockOpening(mode), body)
    }

    private func openForReading() throws(CacheError) -> Database {
        guard let sideFile = try root.status(of: CacheLayout.indexFile + "-wal") else { return try Database(path, .immutable) }
        do throws(CacheError) {
            let database = try Database(path, .read)
            // The first read is what opens the side files.
            _ = try database.number("PRAGMA user_version")
            _ = try database.number("SELECT count(*) FROM sqlite_schema")
            return database
        } catch {
            // A copy of a cache may have lost the shared-memory file. With an empty side file the database is complete without it.
            guard error.code != .damaged, sideFile.st_size == 0 else { throw error }
            return try Database(path, .immutable)
        }
    }

    private func use<Value: Sendable>(
        _ slot: Monitor<Connection?>, synchronous: String, _ body: (borrowing Database) throws(CacheError) -> Value
    ) throws(CacheError) -> Value {
        // Each slot has a thread of its own, so that its lock is never waited for.
        try slot.change { connection throws(CacheError) in
            let current = if let connection { connection } else { try openForWriting(synchronous: synchronous) }
            connection = current
            try current.checkIdentity(path: path)
            return try body(current.database)
        }
    }

    private func openForWriting(synchronous: String) throws(CacheError) -> Connection {
        guard access != .readOnly else { throw ObjectStore.readOnly(root.path) }
        return try withOpening(.exclusive) { () throws(CacheError) in
            // An empty file is a new database to SQLite, so that it would go unnoticed.
            let size = try root.status(of: CacheLayout.indexFile)?.st_size ?? 0
            if size == 0, try !Directory(CacheLayout.runs, in: root).names().isEmpty {
                log.warning("\(path) is gone or empty; `posterity verify --rebuild-index` makes it anew from the runs")
            }
            let database = try Database(path, .create)
            try IndexSchema.prepare(database, synchronous: synchronous)
            guard let status = try root.status(of: CacheLayout.indexFile) else {
                throw CacheError(errno: ENOENT, doing: "open", path: path)
            }
            return Connection(database: database, device: status.st_dev, inode: status.st_ino)
        }
    }
}
