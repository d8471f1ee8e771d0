internal import Glibc

/// Some state, and a lock around it.
///
/// A POSIX mutex rather than the standard library's: that one is a futex which the thread sanitizer cannot see, so that every handing over
/// of a contended lock looks like a race. Same use: `state.withLock { $0.count += 1 }`.
package struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    // Sendable because `value` is touched only while `mutex` is held; the pointers themselves never change.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let value: UnsafeMutablePointer<Value>

    package init(_ value: consuming sending Value) {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    /// Runs `body` alone with the state. Must not be called from within itself.
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
}
