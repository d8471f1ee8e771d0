import Core
import FoundationEssentials
import Testing
import Transfer

@Suite("Request pacer")
struct RequestPacerTests {
    /// Time that passes by being slept.
    final class Time: Sendable {
        private let seconds = Mutex(1_000_000.0)

        var now: Double { seconds.withLock(\.self) }
        func pass(_ time: Double) { seconds.withLock { $0 += time } }

        func pacer(_ count: Int, recorded: [Double] = []) -> RequestPacer {
            RequestPacer(
                requestsPerWindow: count, recorded: recorded.map { Date(timeIntervalSince1970: $0) },
                clock: WallClock { Date(timeIntervalSince1970: self.now) },
                sleep: { duration in
                    try Task.checkCancellation()
                    self.pass(Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18)
                })
        }
    }

    @Test("No sixty seconds see more requests than allowed, and none waits without need", arguments: [1, 20, 40])
    func window(count: Int) async throws {
        let time = Time()
        let pacer = time.pacer(count)
        var begun: [Double] = []
        for number in 0..<(4 * count) {
            try await pacer.waitForTurn()
            begun.append(time.now)
            if number % 3 == 0 { time.pass(1) }
        }
        for (index, start) in begun.enumerated() {
            #expect(begun[index...].prefix { $0 < start + 59.999 }.count <= count)
        }
        #expect(begun[count - 1] - begun[0] < Double(count))
        #expect(begun.last! - begun[0] < 4 * 60 + Double(count))
    }

    @Test("Requests of another process count")
    func recorded() async throws {
        let time = Time()
        let first = time.pacer(3)
        for _ in 0..<2 { try await first.waitForTurn() }
        let second = time.pacer(3, recorded: first.recorded.map(\.timeIntervalSince1970))
        let start = time.now
        try await second.waitForTurn()
        #expect(time.now == start)
        try await second.waitForTurn()
        #expect(time.now == start + 60)
        #expect(second.recorded.count == 1)
    }

    @Test("Times from a clock that has been set back since are not believed")
    func clockSetBack() async throws {
        let time = Time()
        let pacer = time.pacer(1, recorded: [time.now + 100_000])
        let start = time.now
        try await pacer.waitForTurn()
        #expect(time.now == start)
    }

    @Test("A place that is given up is free for the next")
    func cancelled() async throws {
        let time = Time()
        let pacer = time.pacer(1)
        try await pacer.waitForTurn()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await pacer.waitForTurn()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        let start = time.now
        try await pacer.waitForTurn()
        #expect(time.now == start + 60)
    }
}
