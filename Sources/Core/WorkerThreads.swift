internal import CLinux
internal import Glibc

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
    private let queue = Monitor(Queue())
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
        // Through a lock, not through the continuation: the thread sanitizer does not see what a continuation resumed early hands over.
        let result = Monitor<Result<Value, Failure>?>(nil)
        await withCheckedContinuation { continuation in
            submit {
                do throws(Failure) {
                    let value = try job()
                    result.change { $0 = .success(value) }
                } catch {
                    result.change { $0 = .failure(error) }
                }
                continuation.resume()
            }
        }
        guard let result = result.change({ $0 }) else { preconditionFailure("resumed without a result") }
        return try result.get()
    }

    // MARK: - Threads

    private func submit(_ job: @escaping @Sendable () -> Void) {
        queue.change { queue in
            precondition(!queue.isClosed, "work for threads that have ended")
            queue.jobs.append(job)
        }
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
            guard failure == 0 else { ProcessEnd.withoutThread(failure) }
            pthread_setname_np(thread, String(name.prefix(15)))
            threads.withLock { $0.append(thread) }
        }
    }

    private func work() {
        while let job = nextJob() { job() }
        atThreadExit()
    }

    /// The next job; nil when the threads are to end and all jobs are done.
    private func nextJob() -> (@Sendable () -> Void)? {
        queue.wait { queue in
            if let job = queue.pop() { return .done(job) }
            return queue.isClosed ? .done(nil) : .wait
        }
    }

    private func close() {
        queue.change { $0.isClosed = true }
        for thread in threads.withLock({ $0 }) { pthread_join(thread, nil) }
    }
}
