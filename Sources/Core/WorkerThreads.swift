internal import CLinux
internal import Glibc
internal import Synchronization

/// A fixed number of threads for work that blocks or keeps a core busy: libvips, fsync, SQLite.
///
/// Such work must not run on Swift's cooperative pool, whose few threads every other task needs. Jobs are taken in the order they were
/// handed in. Threads start in ``withThreads(_:named:atThreadExit:_:)`` and are gone when it returns.
package final class WorkerThreads: Sendable {
    private struct Queue {
        var jobs: [@Sendable () -> Void] = []
        var next = 0
        var isClosed = false

        mutating func pop() -> (@Sendable () -> Void)? {
            guard next < jobs.count else { return nil }
            let job = jobs[next]
            // What a job holds must go when the job is done, not when its place in the queue is reused.
            jobs[next] = {}
            next += 1
            if next > 64, next * 2 > jobs.count {
                jobs.removeFirst(next)
                next = 0
            }
            return job
        }
    }

    /// How many threads there are.
    package let count: Int
    private let name: String
    private let atThreadExit: @Sendable () -> Void
    private let queue = Mutex(Queue())
    private let available = Semaphore()
    private let threads = Mutex<[pthread_t]>([])

    private init(count: Int, name: String, atThreadExit: @escaping @Sendable () -> Void) {
        self.count = max(1, count)
        self.name = name
        self.atThreadExit = atThreadExit
    }

    /// Runs `body` with `count` threads, and ends them when it returns or throws.
    ///
    /// - Parameters:
    ///   - count: at least 1.
    ///   - name: what a debugger shows, at most 15 bytes of it.
    ///   - atThreadExit: called on each thread as its last act; libraries with memory of their own per thread free it here.
    package static func withThreads<Value, Failure: Error>(
        _ count: Int, named name: String, atThreadExit: @escaping @Sendable () -> Void = {},
        _ body: (WorkerThreads) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let pool = WorkerThreads(count: count, name: name, atThreadExit: atThreadExit)
        pool.start()
        defer { pool.close() }
        return try await body(pool)
    }

    /// Runs `job` on one of the threads and gives back what it made or threw.
    ///
    /// A job once handed in runs to its end, cancelled or not: the libraries below cannot be stopped half-way.
    package func run<Value: Sendable, Failure: Error>(
        _ job: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            submit {
                let result: Result<Value, Failure>
                do throws(Failure) {
                    result = .success(try job())
                } catch {
                    result = .failure(error)
                }
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }

    // MARK: - Threads

    private func submit(_ job: @escaping @Sendable () -> Void) {
        queue.withLock { queue in
            precondition(!queue.isClosed, "work for threads that have ended")
            queue.jobs.append(job)
        }
        available.signal()
    }

    private func start() {
        for _ in 0..<count {
            var thread = pthread_t()
            // Released by the thread itself, the first thing it does.
            let context = Unmanaged.passRetained(self)
            let failure = pthread_create(
                &thread, nil,
                { argument in
                    let pool = Unmanaged<WorkerThreads>.fromOpaque(argument!).takeRetainedValue()
                    pool.work()
                    return nil
                }, context.toOpaque())
            guard failure == 0 else { fatalError("cannot start a thread: \(String(cString: strerror(failure)))") }
            pthread_setname_np(thread, String(name.prefix(15)))
            threads.withLock { $0.append(thread) }
        }
    }

    private func work() {
        while true {
            available.wait()
            let (job, isClosed) = queue.withLock { ($0.pop(), $0.isClosed) }
            if let job {
                job()
            } else if isClosed {
                break
            }
        }
        atThreadExit()
    }

    private func close() {
        queue.withLock { $0.isClosed = true }
        for _ in 0..<count { available.signal() }
        for thread in threads.withLock({ $0 }) { pthread_join(thread, nil) }
    }
}

/// A counting semaphore that blocks its thread. Owns one POSIX semaphore.
private final class Semaphore: Sendable {
    // A semaphore is made to be shared between threads; the pointer itself never changes.
    private nonisolated(unsafe) let semaphore: UnsafeMutablePointer<sem_t>

    init() {
        semaphore = .allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func signal() { sem_post(semaphore) }

    func wait() {
        while sem_wait(semaphore) != 0 {}
    }
}
