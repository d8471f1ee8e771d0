/// What the governor knows of one host. Plain decisions; the governor keeps it under its lock and acts on what it says.
struct HostState {
    typealias Waiter = (id: Int, continuation: CheckedContinuation<Entry, Never>)

    /// What becomes of a request that wants to begin.
    enum Entry: Sendable {
        case admitted(isProbe: Bool)
        case refused(String)
        case cancelled
    }

    /// What an attempt told about its host.
    enum Sign {
        case healthy
        /// Alive, and asking for less.
        case overloaded
        /// Down or out of reach, in words. `isCertain` if waiting a little will not change it.
        case failing(String, isCertain: Bool)
        /// A failure of the request's own, or none of anyone's.
        case nothing
    }

    let limits: HostGovernor.Limits
    private(set) var parallel: Double
    private var running = 0
    private var waiters: [Waiter] = []
    private var pausedUntil: Duration = .zero
    private var lastDecrease: Duration = .zero
    private var failures = 0
    private var firstFailure: Duration = .zero
    private var lastFailure = ""
    private var openUntil: Duration?
    private var isProbing = false

    init(limits: HostGovernor.Limits) {
        self.limits = limits
        parallel = Double(max(1, limits.parallelPerHost))
    }

    // MARK: - Coming in

    /// At once, what becomes of a request; nil if it must wait for its turn.
    mutating func enter(at now: Duration) -> Entry? {
        if let openUntil {
            if now < openUntil || isProbing { return .refused(lastFailure) }
            isProbing = true
            running += 1
            return .admitted(isProbe: true)
        }
        guard waiters.isEmpty, running < Int(parallel) else { return nil }
        running += 1
        return .admitted(isProbe: false)
    }

    mutating func wait(_ waiter: Waiter) { waiters.append(waiter) }

    mutating func removeWaiter(_ id: Int) -> Waiter? {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return nil }
        return waiters.remove(at: index)
    }

    /// How long the host has asked to be left alone yet.
    func pause(at now: Duration) -> Duration { max(.zero, pausedUntil - now) }

    /// Why a request that has been waiting should not go on: the circuit opened meanwhile.
    func refusal(isProbe: Bool) -> String? { openUntil != nil && !isProbe ? lastFailure : nil }

    // MARK: - Going out

    /// Gives a place back; returns whom that lets in, or, if the circuit is open, all that wait.
    mutating func leave(isProbe: Bool) -> [(Waiter, Entry)] {
        running -= 1
        if isProbe { isProbing = false }
        if openUntil != nil {
            defer { waiters = [] }
            return waiters.map { ($0, .refused(lastFailure)) }
        }
        let places = max(0, Int(parallel) - running)
        let admitted = waiters.prefix(places).map { ($0, Entry.admitted(isProbe: false)) }
        waiters.removeFirst(admitted.count)
        running += admitted.count
        return admitted
    }

    /// Takes in how an attempt went; true if that opened the circuit.
    mutating func note(_ sign: Sign, startedAt: Duration, now: Duration) -> Bool {
        switch sign {
        case .nothing:
            return false
        case .healthy:
            failures = 0
            openUntil = nil
            parallel = min(Double(max(1, limits.parallelPerHost)), parallel + 1 / parallel)
            return false
        case .overloaded:
            failures = 0
            openUntil = nil
            decrease(startedAt: startedAt, now: now)
            return false
        case .failing(let why, let isCertain):
            decrease(startedAt: startedAt, now: now)
            if failures == 0 { firstFailure = now }
            failures += 1
            lastFailure = why
            let isLongEnough = isCertain || now - firstFailure >= limits.circuitSpan
            guard openUntil != nil || (failures >= limits.circuitFailures && isLongEnough) else { return false }
            let wasOpen = openUntil != nil
            openUntil = now + limits.circuitOpenFor
            return !wasOpen
        }
    }

    /// Leaves the host alone until `end`; true if that is news.
    mutating func pause(until end: Duration, now: Duration) -> Bool {
        let isNew = pausedUntil <= now
        pausedUntil = max(pausedUntil, end)
        return isNew
    }

    /// Halves the parallelism, once for all attempts that were under way together: those begun before the last halving say nothing new.
    private mutating func decrease(startedAt: Duration, now: Duration) {
        guard startedAt >= lastDecrease else { return }
        lastDecrease = now
        parallel = max(1, parallel / 2)
    }
}
