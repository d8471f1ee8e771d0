package import Glibc

/// Some state, a lock around it, and a way for threads to wait until it changes.
///
/// `Mutex` cannot be waited on, and the thread sanitizer does not see it hand over when it is contended. Only threads of our own wait here, never the cooperative pool; anyone may change the state.
package final class Monitor<State: ~Copyable>: @unchecked Sendable {
    // Sendable because `state` is touched only while `mutex` is held; the two pointers never change.
    private var state: State
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>

    package init(_ state: consuming sending State) {
        self.state = state
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        changed = .allocate(capacity: 1)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // So that a clock set back does not make a commit wait for hours.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(changed)
        changed.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` on the state and wakes whoever waits for a change.
    package func change<Value: Sendable, Failure: Error>(_ body: (inout State) throws(Failure) -> Value) throws(Failure) -> Value {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(changed)
            pthread_mutex_unlock(mutex)
        }
        return try body(&state)
    }

    /// What a waiting thread wants next.
    package enum Step<Value: Sendable>: Sendable {
        case done(Value)
        case wait
        /// Wait, but not beyond this time of the monotonic clock.
        case waitUntil(timespec)
    }

    /// Calls `body` now and after every change, until it is done. Blocks the calling thread.
    package func wait<Value: Sendable>(_ body: (inout State) -> Step<Value>) -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            switch body(&state) {
            case .done(let value): return value
            case .wait: pthread_cond_wait(changed, mutex)
            case .waitUntil(var time): pthread_cond_timedwait(changed, mutex, &time)
            }
        }
    }
}

extension timespec {
    /// The monotonic clock's time now.
    package static var now: timespec {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time
    }

    package func advanced(byMilliseconds milliseconds: Int) -> timespec {
        let nanoseconds = tv_nsec + milliseconds % 1_000 * 1_000_000
        return timespec(tv_sec: tv_sec + milliseconds / 1_000 + nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
    }

    package func isBefore(_ other: timespec) -> Bool { (tv_sec, tv_nsec) < (other.tv_sec, other.tv_nsec) }
}
