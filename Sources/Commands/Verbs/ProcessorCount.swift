internal import Glibc

/// How many processors this process may use.
enum ProcessorCount {
    /// Those that are online; at least 1.
    static var available: Int {
        max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }
}
