internal import Glibc

/// A clock that is never set, for time limits and durations.
enum MonotonicTime {
    static var nanoseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    static var seconds: Int { nanoseconds / 1_000_000_000 }
}
