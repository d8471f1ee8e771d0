import Amodb
import Core
import FoundationEssentials
import Storage
import TestSupport
import Testing
import Transfer

@testable import Mirroring

@Suite("Pace and watchdog")
struct PaceTests {
    @Test("Processes that share a cache never send more requests in any minute than the plan allows")
    func pace() async throws {
        let clock = SettableClock()
        let times = Mutex<[Date]>([])
        try await withTemporaryDirectory { root in
            func withPace(_ body: (RequestPace) async throws -> Void) async throws {
                try await Cache.withCache(at: root, access: .readWrite, clock: clock.wallClock, log: .silent) { cache in
                    let sleep: @Sendable (Duration) async throws -> Void = { clock.advance(by: Double($0.components.seconds) + 0.001) }
                    try await body(
                        RequestPace(log: .silent, sleep: sleep) { try await cache.reserveRequest(account: "key", perMinute: 3) })
                }
            }
            try await withPace { one in
                try await withPace { other in
                    for pace in [one, one, other, one, other, other, other, one, one, one, other] {
                        try await pace.waitForTurn()
                        times.withLock { $0.append(clock.now) }
                        clock.advance(by: 7)
                    }
                }
            }
        }
        let sent = times.withLock { $0 }
        for (index, time) in sent.enumerated() {
            #expect(sent[index...].count { $0.timeIntervalSince(time) <= 60 } <= 3, "\(index)")
        }
        // Not slower than need be, either.
        #expect(try #require(sent.last).timeIntervalSince(sent[0]) < 4 * 70)
    }

    @Test("A process alone, which writes nothing down, keeps the pace as well")
    func paceOfThisProcess() async throws {
        let clock = SettableClock()
        let log = LogBook()
        let pace = RequestPace.ofThisProcess(perMinute: 2, clock: clock.wallClock, log: log.log)
        try await pace.waitForTurn()
        try await pace.waitForTurn()
        let waiting = Task { try await pace.waitForTurn() }
        while log.lines(.info).isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        #expect(log.lines(.info)[0].contains("waiting 62 s"))
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        clock.advance(by: 62)
        try await pace.waitForTurn()
    }

    @Test("Each attempt waits for its turn, retries included, and a turn that is not to be had ends the request")
    func turns() async throws {
        let attempts = Mutex(0)
        let timer = MonotonicTimer(now: { .zero }, sleep: { _ in })
        let governor = HostGovernor(clock: .system, log: .silent, timer: timer) { request throws(TransferError) in
            let count = attempts.withLock { attempts in
                attempts += 1
                return attempts
            }
            return HTTPResponse(
                status: count < 3 ? 500 : 200, headers: HTTPHeaders([]), body: [], address: request.address, protocolVersion: "1.1")
        }
        let request = HTTPRequest(try WebAddress("https://api.example/3"), maximumBytes: 1, deadline: .seconds(1))
        let turns = Mutex(0)
        let response = try await governor.send(request, policy: .api) { turns.withLock { $0 += 1 } }
        #expect(response.status == 200 && turns.withLock { $0 } == 3)
        await #expect(throws: TransferError.self) {
            try await governor.send(request, policy: .api) { throw TestSupportError("no turn") }
        }
        #expect(attempts.withLock { $0 } == 3)
        // The place was given back: more requests than there are places go through.
        for _ in 1...20 { _ = try? await governor.send(request, policy: .api) { throw TestSupportError("no turn") } }
        #expect(try await governor.send(request, policy: .api).status == 200)
    }

    @Test("What has been under way for long is told, with what it waits for, and again when the time has doubled")
    func watchdog() async throws {
        let now = Mutex(Duration.zero)
        let log = LogBook()
        let watchdog = Watchdog(timer: MonotonicTimer(now: { now.withLock { $0 } }, sleep: { _ in }), log: log.log)
        func look(at seconds: Int) -> Int {
            now.withLock { $0 = .seconds(seconds) }
            watchdog.look()
            return log.lines(.warning).count
        }
        try await watchdog.watch("a", named: "w92 of \"A\"") {
            watchdog.note("waiting for host.example", for: "a")
            #expect(look(at: 29) == 0)
            #expect(look(at: 31) == 1)
            #expect(log.lines(.warning)[0] == "w92 of \"A\": under way for 31 s, waiting for host.example")
            #expect(look(at: 45) == 1)
            #expect(look(at: 62) == 2)
        }
        #expect(look(at: 600) == 2)
    }

    @Test("Work that ends before its deadline is left alone; what outlasts it is cancelled, and its own errors are passed on")
    func deadline() async throws {
        #expect(try await Deadline(in: .seconds(600)).run { 1 } == 1)
        let cut: Int? = try await Deadline(in: .milliseconds(1)).run {
            try await Task.sleep(for: .seconds(600))
            return 1
        }
        #expect(cut == nil)
        await #expect(throws: TestSupportError.self) {
            _ = try await Deadline(in: .seconds(600)).run { () -> Int in throw TestSupportError("own") }
        }
        let cancelled = Task {
            try await Deadline(in: .seconds(600)).run { try await Task.sleep(for: .seconds(600)) }
        }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { _ = try await cancelled.value }
    }
}
