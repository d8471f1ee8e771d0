package import Core

/// Stands before the client, one for all hosts of a run: retries what is worth it, and spares hosts that are in trouble.
///
/// - A 429 or a Retry-After pauses all requests to that host, once, not each in turn.
/// - Requests at once to a host: as many as allowed to begin with, half as many when it is overloaded or lost, slowly more with each success.
/// - After a run of failures the circuit opens: requests are answered with `hostUnavailable` at once, until one, let through after a while,
///   succeeds. So a dead host costs seconds, not a timeout per poster.
/// - All retries of a run come out of one budget, so that a sick host cannot multiply a run.
package final class HostGovernor: Sendable {
    package struct Limits: Sendable {
        /// The most requests at once to one host. HTTP/2 hosts take them all on one connection.
        package var parallelPerHost = 16
        /// So many failures in a row open the circuit …
        package var circuitFailures = 8
        /// … if the first was so long ago: shorter is a hiccup, which the retries bridge.
        package var circuitSpan: Duration = .seconds(2)
        package var circuitOpenFor: Duration = .seconds(15)

        package init() {}
    }

    private struct State {
        var hosts: [String: HostState] = [:]
        var retriesLeft: Int
        var nextID = 0
        /// Calls that were cancelled before they had queued up.
        var cancelledEarly: Set<Int> = []
    }

    /// A request's permission to be under way.
    private struct Place {
        let isProbe: Bool
        let startedAt: Duration
    }

    /// What has been tried for one request.
    private struct Attempts {
        var retries = 0
        var throttles = 0
    }

    private enum Verdict {
        case final
        case retry(after: Duration)
    }

    private let transport: @Sendable (HTTPRequest) async throws(TransferError) -> HTTPResponse
    private let clock: WallClock
    private let log: Log
    private let limits: Limits
    private let timer: MonotonicTimer
    private let state: Mutex<State>

    /// - Parameter retryBudget: retries for the whole run.
    package convenience init(
        client: HTTPClient, clock: WallClock, log: Log, retryBudget: Int = 200, limits: Limits = Limits(), timer: MonotonicTimer = .system
    ) {
        self.init(clock: clock, log: log, retryBudget: retryBudget, limits: limits, timer: timer) { request throws(TransferError) in
            try await client.send(request)
        }
    }

    /// - Parameter transport: makes one attempt.
    package init(
        clock: WallClock, log: Log, retryBudget: Int = 200, limits: Limits = Limits(), timer: MonotonicTimer = .system,
        transport: @escaping @Sendable (HTTPRequest) async throws(TransferError) -> HTTPResponse
    ) {
        self.clock = clock
        self.log = log
        self.limits = limits
        self.timer = timer
        self.transport = transport
        state = Mutex(State(retriesLeft: retryBudget))
    }

    /// Fetches `request`, and again as `policy` says.
    ///
    /// - Parameter turn: is waited for before each attempt, the retries included; for hosts that count requests.
    /// - Returns: the last response, whatever its status.
    /// - Throws: the last error; `hostUnavailable` without an attempt while the circuit is open; `cancelled` when `turn` throws.
    package func send(
        _ request: HTTPRequest, policy: RetryPolicy, turn: @Sendable () async throws -> Void = {}
    ) async throws(TransferError) -> HTTPResponse {
        let address = request.address
        var attempts = Attempts()
        while true {
            let place = try await enter(address)
            // The last thing before the attempt: whatever was waited for after it would make the count wrong.
            do {
                try await turn()
            } catch {
                leave(address, isProbe: place.isProbe)
                throw .cancelled(address)
            }
            let result: Result<HTTPResponse, TransferError>
            do throws(TransferError) {
                result = .success(try await transport(request))
            } catch {
                result = .failure(error)
            }
            switch settle(result, of: address, place: place, attempts: &attempts, policy: policy) {
            case .final: return try result.get()
            case .retry(let delay): try await sleep(delay, for: address)
            }
        }
    }

    /// How many requests may be under way to a host now; for statistics and tests.
    package func parallelism(of address: WebAddress) -> Int {
        state.withLock { Int($0.hosts[address.origin]?.parallel ?? Double(limits.parallelPerHost)) }
    }

    // MARK: - Coming in

    private func enter(_ address: WebAddress) async throws(TransferError) -> Place {
        let isProbe: Bool
        switch await queue(address) {
        case .admitted(let isProbeOfHost): isProbe = isProbeOfHost
        case .refused(let why): throw unavailable(address, why)
        case .cancelled: throw .cancelled(address)
        }
        do throws(TransferError) {
            // A pause may grow while it is waited for.
            while case let pause = state.withLock({ $0.hosts[address.origin]?.pause(at: timer.now()) ?? .zero }), pause > .zero {
                try await sleep(pause, for: address)
            }
            if let why = state.withLock({ $0.hosts[address.origin]?.refusal(isProbe: isProbe) }) { throw unavailable(address, why) }
        } catch {
            leave(address, isProbe: isProbe)
            throw error
        }
        return Place(isProbe: isProbe, startedAt: timer.now())
    }

    /// Waits for a place among the host's requests, first come, first served.
    private func queue(_ address: WebAddress) async -> HostState.Entry {
        let host = address.origin
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        // A cancellation that comes just after the admission leaves its mark behind; wipe it.
        defer { _ = state.withLock { $0.cancelledEarly.remove(id) } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let entry: HostState.Entry? = state.withLock { state in
                    if state.cancelledEarly.remove(id) != nil { return .cancelled }
                    let now = timer.now()
                    if let entry = state.hosts[host, default: HostState(limits: limits)].enter(at: now) { return entry }
                    state.hosts[host]?.wait((id, continuation))
                    return nil
                }
                if let entry { continuation.resume(returning: entry) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                let waiter = state.hosts[host]?.removeWaiter(id)
                if waiter == nil { state.cancelledEarly.insert(id) }
                return waiter
            }
            waiter?.continuation.resume(returning: .cancelled)
        }
    }

    private func leave(_ address: WebAddress, isProbe: Bool) {
        let released = state.withLock { $0.hosts[address.origin]?.leave(isProbe: isProbe) ?? [] }
        for (waiter, entry) in released { waiter.continuation.resume(returning: entry) }
    }

    private func sleep(_ delay: Duration, for address: WebAddress) async throws(TransferError) {
        guard delay > .zero else { return }
        do {
            try await timer.sleep(delay)
        } catch {
            throw .cancelled(address)
        }
    }

    private func unavailable(_ address: WebAddress, _ why: String) -> TransferError {
        TransferError(
            .hostUnavailable, address: address.description,
            detail: "\(address.hostAndPort) was not asked, as it had failed too often just before: \(why)")
    }

    // MARK: - Going out

    /// Notes what an attempt told about its host, gives its place back, and says whether to try again.
    private func settle(
        _ result: Result<HTTPResponse, TransferError>, of address: WebAddress, place: Place, attempts: inout Attempts, policy: RetryPolicy
    ) -> Verdict {
        let host = address.origin
        let now = timer.now()
        let pause = requestedPause(result, policy)
        let sign = sign(of: result, isFirstAttempt: attempts.retries == 0, hasPause: pause != nil)
        var wish = wish(for: result, attempts: attempts, policy: policy)
        let (verdict, isOpened, isPaused, isBudgetSpent) = state.withLock { state -> (Verdict, Bool, Bool, Bool) in
            let isOpened = state.hosts[host]?.note(sign, startedAt: place.startedAt, now: now) ?? false
            let isPaused = pause.map { state.hosts[host]?.pause(until: now + $0, now: now) ?? false } ?? false
            if state.hosts[host]?.refusal(isProbe: false) != nil { wish = .final }
            guard case .retry = wish else { return (.final, isOpened, isPaused, false) }
            guard state.retriesLeft > 0 else { return (.final, isOpened, isPaused, true) }
            state.retriesLeft -= 1
            return (wish, isOpened, isPaused, false)
        }
        leave(address, isProbe: place.isProbe)
        if case .retry = verdict {
            if case .success(let response) = result, response.status == 429 { attempts.throttles += 1 } else { attempts.retries += 1 }
        }
        if isOpened { log.warning("\(address.hostAndPort) fails again and again and is left alone for \(limits.circuitOpenFor.inWords)") }
        if isPaused, let pause, pause > .zero, case .retry = verdict {
            log.info("\(address.hostAndPort) asks for a pause of \(pause.inWords)")
        }
        if isBudgetSpent { log.debug("\(address.hostAndPort): no retry, as the run's retries are used up") }
        return verdict
    }

    private func requestedPause(_ result: Result<HTTPResponse, TransferError>, _ policy: RetryPolicy) -> Duration? {
        guard case .success(let response) = result else { return nil }
        let asked: Duration? =
            switch response.status {
            case 429: RetryAfter.delay(response.headers["Retry-After"], now: clock.now()) ?? policy.throttleDelay
            case 503: RetryAfter.delay(response.headers["Retry-After"], now: clock.now())
            default: RetryAfter.delay(rateLimit: response.headers, now: clock.now())
            }
        return asked.map { min($0, policy.longestRetryAfter) }
    }

    private func sign(of result: Result<HTTPResponse, TransferError>, isFirstAttempt: Bool, hasPause: Bool) -> HostState.Sign {
        switch result {
        case .success(let response):
            switch response.status {
            case 429: return .overloaded
            case 503 where hasPause: return .overloaded
            case 500, 502, 503, 504:
                // Its retries say more of this one path than of the host.
                return isFirstAttempt ? .failing("it answered with status \(response.status)", isCertain: false) : .nothing
            default: return .healthy
            }
        case .failure(let error):
            switch error.code {
            case .nameNotFound, .cannotConnect, .connectionLost, .timedOut, .tooSlow: return .failing(error.detail, isCertain: false)
            case .tlsFailed: return .failing(error.detail, isCertain: true)
            default: return .nothing
            }
        }
    }

    private func wish(for result: Result<HTTPResponse, TransferError>, attempts: Attempts, policy: RetryPolicy) -> Verdict {
        switch result {
        case .success(let response) where response.status == 429:
            return attempts.throttles < policy.maximumThrottleRetries ? .retry(after: .zero) : .final
        case .success(let response):
            guard policy.statuses.contains(response.status), attempts.retries < policy.maximumRetries else { return .final }
            return .retry(after: policy.backoff(afterRetries: attempts.retries))
        case .failure(let error):
            guard error.isTransient, attempts.retries < policy.maximumRetries else { return .final }
            return .retry(after: policy.backoff(afterRetries: attempts.retries))
        }
    }
}
