internal import Glibc

/// A `flock` on a file or directory of the cache, given back when this goes out of scope, and by the kernel when the process dies.
struct FileLock: ~Copyable, Sendable {
    enum Mode: Sendable {
        case shared, exclusive

        var operation: Int32 { self == .shared ? LOCK_SH : LOCK_EX }
    }

    private let descriptor: FileDescriptor

    /// Takes the lock, and blocks the calling thread until it is free.
    init(_ mode: Mode, on descriptor: consuming FileDescriptor, path: String) throws(CacheError) {
        while flock(descriptor.raw, mode.operation) != 0 {
            guard errno == EINTR else { throw CacheError(errno: errno, doing: "lock", path: path) }
        }
        self.descriptor = descriptor
    }

    /// Takes the lock if it is free; nil when someone else holds it.
    init?(ifFree mode: Mode, on descriptor: consuming FileDescriptor, path: String) throws(CacheError) {
        while flock(descriptor.raw, mode.operation | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return nil }
            guard errno == EINTR else { throw CacheError(errno: errno, doing: "lock", path: path) }
        }
        self.descriptor = descriptor
    }

    // Closing the only descriptor of an open file gives its lock back.
}
