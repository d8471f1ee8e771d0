internal import Core
internal import Glibc
internal import Synchronization

/// This process's own directory below `tmp`, locked for as long as the cache is open.
///
/// The lock tells the living from the dead: the kernel gives a dead process's lock back, and the next session sweeps what it left.
final class Session: Sendable {
    let directory: Directory
    private let temporary: Directory
    private let name: String
    /// Given back when the session goes, or its process.
    private let lock: FileLock
    private let counter = Atomic<Int>(0)
    /// Ends the name of a session that does not mind when objects go.
    private static let bearingSuffix = "-bearing"

    /// Makes a session, and sweeps those of processes that have died.
    ///
    /// - Parameter bearsRemoval: see ``Cache/Access/readWriteBearingRemoval``.
    init(root: borrowing Directory, bearsRemoval: Bool, log: Log) throws(CacheError) {
        let temporary = try Directory(CacheLayout.temporary, in: root)
        // Held while a session is made or swept, so that no one sweeps a directory between its making and its locking.
        let door = try FileLock(.exclusive, on: .directory(".", in: temporary.raw, path: temporary.path), path: temporary.path)
        try Self.sweep(temporary, log: log)
        let name = "\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 16))\(bearsRemoval ? Self.bearingSuffix : "")"
        try temporary.makeDirectory(name)
        directory = try Directory(name, in: temporary)
        lock = try FileLock(.exclusive, on: .directory(name, in: temporary.raw, path: directory.path), path: directory.path)
        self.name = name
        self.temporary = temporary
        _ = consume door
    }

    /// Removes the directory and what is left in it.
    func end() {
        // What cannot be removed now is swept by the next session.
        if let names = try? directory.names() {
            for name in names { try? directory.remove(name) }
        }
        _ = try? temporary.removeDirectory(name)
    }

    /// A name not used in this session before.
    func newName() -> String {
        String(counter.add(1, ordering: .relaxed).newValue)
    }

    /// Whether other processes, or other openings in this one, have the cache open for writing.
    func othersAreAlive() throws(CacheError) -> Bool {
        try withNoNewcomers(countingBearing: true) { $0 }
    }

    /// Whether there are others that count on every object that the index names.
    func othersCountOnObjects() throws(CacheError) -> Bool {
        try withNoNewcomers { $0 }
    }

    /// Runs `body` while no other session can begin, and tells it whether others are there that count on objects.
    ///
    /// For what is decided by their absence: one that began meanwhile would count on what is about to go.
    ///
    /// - Parameter countingBearing: counts those as well that bear it when objects go.
    func withNoNewcomers<Value>(
        countingBearing: Bool = false, _ body: (_ othersAreAlive: Bool) throws(CacheError) -> Value
    ) throws(CacheError) -> Value {
        let door = try FileLock(.exclusive, on: .directory(".", in: temporary.raw, path: temporary.path), path: temporary.path)
        var alive = false
        for other in try temporary.names() where other != name && (countingBearing || !other.hasSuffix(Self.bearingSuffix)) {
            if try !Self.isDead(other, in: temporary) { alive = true }
        }
        let value = try body(alive)
        _ = consume door
        return value
    }

    // MARK: - Private

    private static func isDead(_ name: String, in temporary: borrowing Directory) throws(CacheError) -> Bool {
        let path = "\(temporary.path)/\(name)"
        let handle: FileDescriptor
        do throws(CacheError) {
            handle = try .directory(name, in: temporary.raw, path: path)
        } catch {
            // Gone in the meantime, or not a directory.
            if error.code == .tooManyFiles { throw error }
            return true
        }
        return try FileLock(ifFree: .exclusive, on: handle, path: path) != nil
    }

    private static func sweep(_ temporary: borrowing Directory, log: Log) throws(CacheError) {
        for name in try temporary.names() where try isDead(name, in: temporary) {
            do throws(CacheError) {
                guard let status = try temporary.status(of: name) else { continue }
                if status.st_mode & S_IFMT == S_IFDIR {
                    let dead = try Directory(name, in: temporary)
                    let left = try dead.names()
                    for file in left { try dead.remove(file) }
                    try temporary.removeDirectory(name)
                    log.debug("swept \(left.count) unfinished files of an earlier run from \(dead.path)")
                } else {
                    try temporary.remove(name)
                }
            } catch {
                log.warning("\(error)")
            }
        }
    }
}
