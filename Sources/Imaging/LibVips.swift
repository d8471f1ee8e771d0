internal import CVips
internal import Core
internal import Glibc
internal import Synchronization

/// The libvips of this process: started on first use, with only our loaders open, and its errors told apart by thread.
///
/// libvips keeps one error text for the whole process. To know that a text belongs to a picture, whatever failed is done once more while
/// nothing else runs in libvips; that costs only what is broken anyway.
enum LibVips {
    enum Failure: Error {
        /// A libvips call failed; what it said can be read in ``alone(_:)`` only.
        case unsaid
        /// We know ourselves what is wrong.
        case known(ImagingError)
    }

    /// Runs `body` beside other threads.
    static func shared<Value, Problem: Error>(_ body: () throws(Problem) -> Value) throws(Problem) -> Value {
        lock.readLock()
        defer { lock.unlock() }
        start()
        return try body()
    }

    /// Runs `body` while no other thread is in libvips, so that ``takeErrorText()`` in it speaks of nothing else.
    static func alone<Value, Problem: Error>(_ body: () throws(Problem) -> Value) throws(Problem) -> Value {
        lock.writeLock()
        defer { lock.unlock() }
        start()
        vips_error_clear()
        defer { vips_error_clear() }
        return try body()
    }

    /// What libvips has said since the last call, its lines joined; empties its memory of it.
    static func takeErrorText() -> String {
        let text = String(cString: vips_error_buffer())
        vips_error_clear()
        return text.split(separator: "\n").joined(separator: "; ")
    }

    /// Frees what libvips keeps for the calling thread. The last thing that a thread of ours does.
    static func threadWillExit() {
        if isStarted.load(ordering: .acquiring) { vips_thread_shutdown() }
    }

    // MARK: - Private

    private static let isStarted = Atomic<Bool>(false)
    private static let lock = ReadWriteLock()

    /// Once per process: a static constant is made by the first thread that asks, and the others wait.
    private static let started: Void = {
        posterity_silence_log()
        // Fails only when the installation is broken in a way that no later call would survive.
        guard posterity_init() == 0 else { ProcessEnd.failure("libvips cannot start: \(takeErrorText())") }
        // Our own threads render one picture each; threads of libvips' within one picture would only get in their way.
        vips_concurrency_set(1)
        // No picture is made twice, so libvips' memory of earlier results would only grow.
        vips_cache_set_max(0)
        vips_cache_set_max_mem(0)
        vips_cache_set_max_files(0)
        // First everything, then the exceptions: a later call wins over an earlier one.
        vips_block_untrusted_set(1)
        vips_operation_block_set("VipsForeignLoad", 1)
        for loader in ["JpegBuffer", "PngBuffer", "WebpBuffer", "NsgifBuffer", "HeifBuffer"] {
            vips_operation_block_set("VipsForeignLoad" + loader, 0)
        }
        isStarted.store(true, ordering: .releasing)
    }()

    private static func start() { started }
}

/// Many readers or one writer. Owns one POSIX lock.
private final class ReadWriteLock: Sendable {
    // A lock is made to be shared between threads; the pointer itself never changes.
    private nonisolated(unsafe) let lock: UnsafeMutablePointer<pthread_rwlock_t>

    init() {
        lock = .allocate(capacity: 1)
        var attributes = pthread_rwlockattr_t()
        pthread_rwlockattr_init(&attributes)
        // By default glibc lets a stream of readers keep a writer out for ever.
        pthread_rwlockattr_setkind_np(&attributes, Int32(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP))
        pthread_rwlock_init(lock, &attributes)
        pthread_rwlockattr_destroy(&attributes)
    }

    deinit {
        pthread_rwlock_destroy(lock)
        lock.deallocate()
    }

    func readLock() { precondition(pthread_rwlock_rdlock(lock) == 0, "cannot lock") }
    func writeLock() { precondition(pthread_rwlock_wrlock(lock) == 0, "cannot lock") }
    func unlock() { pthread_rwlock_unlock(lock) }
}
