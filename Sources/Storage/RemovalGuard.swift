internal import Glibc

/// Keeps objects from being removed while it lives, so that "it is there already" stays true until the index says so.
///
/// Two locks make a turnstile. Whoever adds takes `gate` shared, then `objects` shared, and gives `gate` back. Whoever removes takes both
/// exclusively: from the moment it holds `gate` no new work begins, the work under way ends within a commit's time, and then it is alone.
/// A busy mirror can therefore not starve `prune`, and `prune` holds a mirror up for no longer than its deletions take.
final class RemovalGuard: Sendable {
    private let objects: FileLock

    /// Blocks while objects are being removed.
    init(locks: borrowing Directory) throws(CacheError) {
        let gate = try FileLock(.shared, on: Self.open("gate", locks), path: "\(locks.path)/gate")
        objects = try withExtendedLifetime(gate) { () throws(CacheError) in
            try FileLock(.shared, on: Self.open("objects", locks), path: "\(locks.path)/objects")
        }
    }

    /// Runs `body` while no one adds objects.
    static func withRemovalAllowed<Value>(
        locks: borrowing Directory, _ body: () throws(CacheError) -> Value
    ) throws(CacheError) -> Value {
        let gate = try FileLock(.exclusive, on: open("gate", locks), path: "\(locks.path)/gate")
        let objects = try FileLock(.exclusive, on: open("objects", locks), path: "\(locks.path)/objects")
        return try withExtendedLifetime(gate) { () throws(CacheError) in try withExtendedLifetime(objects, body) }
    }

    private static func open(_ name: String, _ locks: borrowing Directory) throws(CacheError) -> FileDescriptor {
        try locks.open(name, O_RDWR | O_CREAT, mode: 0o644, doing: "lock")
    }
}
