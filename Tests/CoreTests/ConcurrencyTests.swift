import Core
import Testing

@Suite("Bounded concurrency")
struct ConcurrencyTests {
    /// How many were inside at once, at most.
    private final class Gauge: Sendable {
        private let counts = Mutex((now: 0, peak: 0))
        var peak: Int { counts.withLock { $0.peak } }

        func enter(_ amount: Int = 1) {
            counts.withLock {
                $0.now += amount
                $0.peak = max($0.peak, $0.now)
            }
        }

        func leave(_ amount: Int = 1) { counts.withLock { $0.now -= amount } }
    }

    @Test("Never more elements at once than the limit, and every one is seen to", arguments: [1, 3, 100])
    func bounded(limit: Int) async throws {
        let gauge = Gauge()
        let seen = Mutex<Set<Int>>([])
        try await forEachBounded(0..<200, limit: limit) { number in
            gauge.enter()
            for _ in 0..<3 { await Task.yield() }
            seen.withLock { _ = $0.insert(number) }
            gauge.leave()
        }
        #expect(gauge.peak <= limit)
        #expect(seen.withLock { $0 } == Set(0..<200))
    }

    @Test("The first error ends the whole and comes out")
    func firstError() async {
        struct Broken: Error {}
        let started = Mutex(0)
        await #expect(throws: Broken.self) {
            try await forEachBounded(0..<1_000, limit: 4) { number in
                started.withLock { $0 += 1 }
                if number == 5 { throw Broken() }
            }
        }
        #expect(started.withLock { $0 } < 1_000)
    }

    @Test("Shares of a budget never exceed the whole, whatever their sizes")
    func budgetHolds() async throws {
        let budget = Budget(10)
        let gauge = Gauge()
        try await forEachBounded(0..<300, limit: 50) { number in
            let amount = number % 12 + 1
            try await budget.withShare(amount) {
                gauge.enter(min(amount, 10))
                await Task.yield()
                gauge.leave(min(amount, 10))
            }
        }
        #expect(gauge.peak <= 10)
        // All of it came back.
        try await budget.withShare(10) {}
    }

    @Test("A cancelled waiter leaves the queue, and those behind it go on")
    func budgetCancellation() async throws {
        let budget = Budget(1)
        try await confirmation(expectedCount: 1) { reached in
            try await withThrowingTaskGroup(of: Void.self) { group in
                let (entered, signal) = AsyncStream.makeStream(of: Void.self)
                let (finish, release) = AsyncStream.makeStream(of: Void.self)
                group.addTask {
                    try await budget.withShare {
                        signal.yield()
                        for await _ in finish { break }
                    }
                }
                for await _ in entered { break }
                let waiter = Task { try await budget.withShare { Issue.record("a cancelled waiter got in") } }
                waiter.cancel()
                await #expect(throws: CancellationError.self) { try await waiter.value }
                group.addTask { try await budget.withShare { reached() } }
                release.yield()
                try await group.waitForAll()
            }
        }
    }

    @Test("Jobs run on their own threads, at most as many at once as there are threads")
    func workerThreads() async throws {
        let gauge = Gauge()
        let exits = Mutex(0)
        let sum = try await WorkerThreads.withThreads(3, named: "test", atThreadExit: { exits.withLock { $0 += 1 } }) { threads in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<500 {
                    group.addTask {
                        await threads.run {
                            gauge.enter()
                            defer { gauge.leave() }
                            return number
                        }
                    }
                }
                return try await group.reduce(0, +)
            }
        }
        #expect(sum == 499 * 500 / 2)
        #expect(gauge.peak <= 3)
        #expect(exits.withLock { $0 } == 3, "every thread had ended when the scope was left")
    }

    @Test("What a job throws comes out where it was asked for, with its own type")
    func typedErrors() async {
        struct Broken: Error, Equatable {}
        _ = await WorkerThreads.withThreads(1, named: "test") { threads in
            await #expect(throws: Broken()) {
                try await threads.run { () throws(Broken) in throw Broken() }
            }
        }
    }
}
