internal import Core
internal import Glibc

/// What a process must be allowed to have before it starts work, since what lies below waits forever for what it does not get.
///
/// Swift's runtime asks again and again for a thread that the system refuses, and libcurl without descriptors has no way to be woken.
enum ProcessLimits {
    /// Threads of the runtime and of the program's own, besides one a core.
    private static let threads = 6
    /// Files, directories, locks and connections of the smallest run.
    private static let files: rlim_t = 24

    /// Ends the process with a sentence when it could not even begin.
    static func check() {
        checkFiles()
        checkThreads(Self.threads + ProcessorCount.available)
    }

    private static func checkFiles() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < files else { return }
        limit.rlim_cur = min(files, limit.rlim_max)
        guard setrlimit(resource, &limit) == 0, limit.rlim_cur >= files else {
            ProcessEnd.failure("only \(limit.rlim_cur) files may be open; raise the limit to \(files) or more (`ulimit -n`)")
        }
    }

    /// Has that many threads at once, for an instant.
    private static func checkThreads(_ count: Int) {
        let gate = Monitor(false)
        var threads: [pthread_t] = []
        for _ in 0..<count {
            var thread = pthread_t()
            // Released by the thread itself, the first thing it does.
            let context = Unmanaged.passRetained(gate)
            let failure = pthread_create(
                &thread, nil,
                { argument in
                    Unmanaged<Monitor<Bool>>.fromOpaque(argument!).takeRetainedValue().wait { $0 ? .done(()) : .wait }
                    return nil
                }, context.toOpaque())
            guard failure == 0 else { ProcessEnd.withoutThread(failure) }
            threads.append(thread)
        }
        gate.change { $0 = true }
        for thread in threads { pthread_join(thread, nil) }
    }
}
