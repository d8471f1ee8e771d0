internal import Glibc

/// Keeps other publishers out of a folder while it lives: whoever replaces one of the folders in it holds this first.
///
/// Since a folder half made exists only under the lock, any that is found under it was left behind by a process that died.
final class FolderLock: Sendable {
    private let descriptor: Int32
    /// False on a file system that has no locks; then nothing found may be taken for left behind.
    let isExclusive: Bool

    /// Waits until the lock is free.
    init(on folder: String) throws(SiteError) {
        descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .lastSystemError(doing: "open", folder) }
        var result = flock(descriptor, LOCK_EX)
        while result != 0, errno == EINTR { result = flock(descriptor, LOCK_EX) }
        isExclusive = result == 0
    }

    /// Makes renames in the folder durable.
    func sync() {
        // Not every file system lets a folder be synced; the names are then as durable as it makes them.
        _ = fsync(descriptor)
    }

    deinit {
        close(descriptor)
    }
}
