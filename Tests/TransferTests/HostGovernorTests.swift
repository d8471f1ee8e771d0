import Core
import FoundationEssentials
import struct Synchronization.Atomic
import Testing
import Transfer

/// Whether sick hosts are spared, in time that the test makes pass.
@Suite("Host governor")
struct HostGovernorTests {
    typealias Result = Swift.Result<HTTPResponse, TransferError>

    /// Answers from a script, and keeps the book on it.
    final class Host: Sendable {
        private struct State {
            var time: Duration = .zero
            var sleeps: [Duration] = []
            var asked: [Duration] = []
            var underWay = 0
            var mostAtOnce = 0
        }

        private let state = Mutex(State())
        private let answer: @Sendable (_ number: Int, HTTPRequest) -> Result

        init(_ answer: @escaping @Sendable (_ number: Int, HTTPRequest) -> Result) { self.answer = answer }

        var asked: [Duration] { state.withLock(\.asked) }
        var sleeps: [Duration] { state.withLock(\.sleeps) }
        var mostAtOnce: Int { state.withLock(\.mostAtOnce) }

        func pass(_ time: Duration) { state.withLock { $0.time += time } }

        func governor(retryBudget: Int = 1_000, limits: HostGovernor.Limits = .init()) -> HostGovernor {
            let timer = MonotonicTimer(
                now: { self.state.withLock(\.time) },
                sleep: { duration in
                    try Task.checkCancellation()
                    self.state.withLock { state in
                        state.sleeps.append(duration)
                        state.time += duration
                    }
                })
            return HostGovernor(
                clock: .stopped(at: Date(timeIntervalSince1970: 784_111_777)), log: .silent, retryBudget: retryBudget, limits: limits,
                timer: timer
            ) { request throws(TransferError) in
                let number = self.state.withLock { state in
                    state.asked.append(state.time)
                    state.underWay += 1
                    state.mostAtOnce = max(state.mostAtOnce, state.underWay)
                    return state.asked.count
                }
                await Task.yield()
                self.state.withLock { $0.underWay -= 1 }
                return try self.answer(number, request).get()
            }
        }
    }

    static let address = try! WebAddress("https://img.example.org/a.jpg")
    let request = HTTPRequest(address, maximumBytes: 1_000, deadline: .seconds(10))

    static func answer(_ status: Int, _ headers: [(String, String)] = []) -> Result {
        .success(HTTPResponse(status: status, headers: HTTPHeaders(headers), address: address))
    }

    static func failure(_ code: TransferError.Code) -> Result { .failure(TransferError(code, detail: "it is down")) }

    @Test("What may pass is tried again, three times", arguments: [408, 425, 500, 502, 503, 504])
    func transientStatus(status: Int) async throws {
        let host = Host { number, _ in Self.answer(number < 4 ? status : 200) }
        #expect(try await host.governor().send(request, policy: .images).status == 200)
        #expect(host.asked.count == 4)
        // Full jitter: anything up to the half second, the second, the two.
        #expect(host.sleeps.count == 3)
        for (sleep, most) in zip(host.sleeps, [500, 1_000, 2_000]) { #expect(sleep <= .milliseconds(most)) }
        let stubborn = Host { _, _ in Self.answer(status) }
        #expect(try await stubborn.governor().send(request, policy: .images).status == status)
        #expect(stubborn.asked.count == 4)
    }

    @Test("What will not change is not tried again", arguments: [200, 304, 400, 401, 402, 403, 404, 410, 415])
    func finalStatus(status: Int) async throws {
        let host = Host { _, _ in Self.answer(status) }
        #expect(try await host.governor().send(request, policy: .images).status == status)
        #expect(host.asked.count == 1)
    }

    @Test("Errors are tried again if they are transient", arguments: TransferError.Code.allCases)
    func errors(code: TransferError.Code) async throws {
        let host = Host { _, _ in Self.failure(code) }
        let error = await #expect(throws: TransferError.self) { try await host.governor().send(request, policy: .images) }
        #expect(error?.code == code)
        #expect(host.asked.count == (error?.isTransient == true ? 4 : 1))
    }

    @Test(
        "After 429 the Retry-After is waited, or five seconds, and at most thirty",
        arguments: [
            ("7", 7), (nil, 5), ("1.5", 5), ("3600", 30),
            ("Sun, 06 Nov 1994 08:49:57 GMT", 20),
        ])
    func throttled(header: String?, seconds: Int) async throws {
        let host = Host { number, _ in Self.answer(number < 3 ? 429 : 200, header.map { [("Retry-After", $0)] } ?? []) }
        #expect(try await host.governor().send(request, policy: .api).status == 200)
        #expect(host.asked == [.zero, .seconds(seconds), .seconds(2 * seconds)])
        let stubborn = Host { _, _ in Self.answer(429) }
        #expect(try await stubborn.governor().send(request, policy: .api).status == 429)
        #expect(stubborn.asked.count == 3)
    }

    @Test("A Retry-After pauses the whole host once, not each request in turn")
    func onePause() async throws {
        let host = Host { number, _ in number == 1 ? Self.answer(503, [("Retry-After", "9")]) : Self.answer(200) }
        let governor = host.governor()
        var policy = RetryPolicy.images
        policy.maximumRetries = 0
        #expect(try await governor.send(request, policy: policy).status == 503)
        for _ in 0..<5 { #expect(try await governor.send(request, policy: policy).status == 200) }
        #expect(host.sleeps == [.seconds(9)])
        #expect(host.asked.dropFirst().allSatisfy { $0 == .seconds(9) })
    }

    @Test("A host that says that nothing is left of its limit is left alone until it resets")
    func rateLimitHeaders() async throws {
        let host = Host { number, _ in Self.answer(200, number == 1 ? [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "12")] : []) }
        let governor = host.governor()
        for _ in 0..<2 { #expect(try await governor.send(request, policy: .api).status == 200) }
        #expect(host.asked == [.zero, .seconds(12)])
    }

    @Test("One budget bounds the retries of a whole run")
    func budget() async throws {
        let host = Host { number, _ in Self.answer(number % 3 == 0 ? 200 : 500) }
        let governor = host.governor(retryBudget: 4)
        for _ in 0..<10 { _ = try await governor.send(request, policy: .images) }
        #expect(host.asked.count == 14)
    }

    @Test("No more requests are under way than allowed; fewer after failures, and again more with successes")
    func parallelism() async throws {
        var limits = HostGovernor.Limits()
        limits.parallelPerHost = 8
        let host = Host { number, _ in Self.answer(number == 100 ? 429 : 200) }
        let governor = host.governor(limits: limits)
        let request = request
        try await forEachBounded(0..<99, limit: 50) { _ in _ = try await governor.send(request, policy: .images) }
        #expect((2...8).contains(host.mostAtOnce))
        #expect(governor.parallelism(of: Self.address) == 8)
        var once = RetryPolicy.images
        once.maximumThrottleRetries = 0
        _ = try await governor.send(request, policy: once)
        #expect(governor.parallelism(of: Self.address) == 4)
        for _ in 0..<50 { _ = try await governor.send(request, policy: .images) }
        #expect(governor.parallelism(of: Self.address) == 8)
    }

    @Test("A dead host is given up after a run of failures, answered for at once, and tried by one after a while")
    func circuit() async throws {
        let isUp = Atomic(false)
        let host = Host { _, _ in isUp.load(ordering: .relaxed) ? Self.answer(200) : Self.failure(.cannotConnect) }
        let governor = host.governor()
        var codes: [TransferError.Code] = []
        func ask(_ count: Int) async {
            for _ in 0..<count {
                do throws(TransferError) { _ = try await governor.send(request, policy: .images) } catch { codes.append(error.code) }
            }
        }
        await ask(100)
        #expect(codes.first == .cannotConnect)
        #expect(codes.last == .hostUnavailable)
        #expect(host.asked.count < 40)
        let error = await #expect(throws: TransferError.self) { try await governor.send(request, policy: .images) }
        #expect(error?.description == "img.example.org:443 was not asked, as it had failed too often just before: it is down")

        // One is let through after the while, and closes the door again.
        host.pass(.seconds(16))
        let before = host.asked.count
        await ask(10)
        #expect(host.asked.count == before + 1)

        host.pass(.seconds(16))
        isUp.store(true, ordering: .relaxed)
        codes = []
        await ask(10)
        #expect(codes.isEmpty)
    }

    @Test("Those that wait for their turn at a host that dies are answered at once")
    func waitersOfDeadHost() async throws {
        let host = Host { _, _ in Self.failure(.tlsFailed) }
        let governor = host.governor()
        let request = request
        let codes = await withTaskGroup(of: TransferError.Code?.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    do throws(TransferError) { _ = try await governor.send(request, policy: .images) } catch { return error.code }
                    return nil
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes.filter { $0 == .hostUnavailable }.count > 100)
        #expect(codes.allSatisfy { $0 == .hostUnavailable || $0 == .tlsFailed })
    }

    @Test("A path that always fails does not close the host to others, nor does a missing one")
    func badPathAlone() async throws {
        let host = Host { number, _ in Self.answer(number % 5 == 0 ? 200 : 500) }
        let governor = host.governor()
        for _ in 0..<50 { _ = try await governor.send(request, policy: .images) }
        let missing = Host { _, _ in Self.answer(404) }
        let other = missing.governor()
        for _ in 0..<50 { #expect(try await other.send(request, policy: .images).status == 404) }
    }

    @Test("A cancelled task waits for nothing")
    func cancellation() async throws {
        var limits = HostGovernor.Limits()
        limits.parallelPerHost = 1
        let (asked, hasAsked) = AsyncStream<Void>.makeStream()
        let governor = HostGovernor(clock: .system, log: .silent, limits: limits) { request throws(TransferError) in
            hasAsked.yield()
            do { try await Task.sleep(for: .seconds(1_000)) } catch { throw TransferError(.cancelled, detail: "cancelled") }
            return HTTPResponse(status: 200, address: request.address)
        }
        let request = request
        let first = Task { try await governor.send(request, policy: .images) }
        for await _ in asked { break }
        let second = Task { try await governor.send(request, policy: .images) }
        await Task.yield()
        for task in [second, first] {
            task.cancel()
            let error = await #expect(throws: TransferError.self) { try await task.value }
            #expect(error?.isCancellation == true)
        }
    }
}
