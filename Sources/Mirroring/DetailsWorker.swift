internal import Amodb
internal import Core
internal import FoundationEssentials
internal import Storage

/// Sees to the details of a run's titles, at the pace that the API's plan allows.
struct DetailsWorker: Sendable {
    struct Result: Sendable {
        /// All of the run's titles.
        var outcomes: [TitleID: DetailsOutcome] = [:]
        /// What the API has against the key, when it would say nothing more.
        var refusal: AmodbError?
    }

    /// More at once would only queue at the host.
    private static let titlesAtOnce = 4

    let request: MirrorRequest
    let amodb: AmodbClient
    let cache: Cache
    let clock: WallClock
    let log: Log
    private let complaints: Complaints
    /// Of what is nobody's fault.
    private let remarks: Complaints

    init(request: MirrorRequest, amodb: AmodbClient, services: MirrorServices, complaints: Complaints) {
        self.request = request
        self.amodb = amodb
        cache = services.cache
        clock = services.clock
        log = services.log
        self.complaints = complaints
        remarks = Complaints(log: services.log, areErrors: false)
    }

    /// - Throws: `CacheError`, `CancellationError`. Whatever is wrong with the API is in the result.
    func see(to plan: MirrorPlan, onEvent: @escaping @Sendable (MirrorEvent) -> Void) async throws -> Result {
        let details = try await DetailsPlan(of: plan, request: request, asking: amodb, at: clock.now()) { [cache] urls in
            try await cache.failures(of: urls)
        }
        guard !details.toAsk.isEmpty else { return Result(outcomes: details.settled) }
        let progress = DetailsProgress(toAsk: details.toAsk.count, wait: try await amodb.wait(forRequests: details.toAsk.count))
        announce(progress, of: details.count)
        onEvent(.detailsPlanned(progress))
        let ledger = DetailsLedger(progress)
        var result = Result()
        do {
            let askAll: @Sendable () async throws -> Void = {
                try await forEachBounded(details.toAsk, limit: Self.titlesAtOnce) { title in
                    try await settle(title, of: details, ledger)
                    onEvent(.detailsFinished(try await progressNow(ledger)))
                }
            }
            if let deadline = request.deadline { _ = try await deadline.run(askAll) } else { try await askAll() }
        } catch let error as AmodbError {
            result.refusal = error
        }
        result.outcomes = details.settled.merging(ledger.outcomes) { _, asked in asked }
        addUnasked(of: details, to: &result)
        return result
    }

    /// Says what is ahead, when it is more than a moment.
    private func announce(_ progress: DetailsProgress, of count: Int) {
        guard let wait = progress.wait, wait > .zero, let pace = amodb.requestsPerMinute else { return }
        let which = progress.toAsk == count ? "\(count) titles" : "\(progress.toAsk) of \(count) titles"
        log.info("asking for the details of \(which): about \(wait.inMinutes), at \(pace) requests a minute; pictures do not wait for it")
    }

    // MARK: - One title

    /// - Throws: `AmodbError` when it is about the key, so that no other title need be asked for; else as the cache does.
    private func settle(_ title: TitleID, of plan: DetailsPlan, _ ledger: DetailsLedger) async throws {
        do {
            let details = try await amodb.details(of: title, request.details, language: request.language) { ledger.sent(title) }
            ledger.finish(title, .fetched(Manifest.Details(details)))
        } catch let error as AmodbError {
            if error.isAboutKey { throw error }
            let older = plan.older[title]
            let why = Manifest.Missing(error)
            let consequence = older.map { "; kept those of \($0.fetchedAt.iso8601)" } ?? ""
            let isAbsence = error.status == 404 || error.status == 410
            (isAbsence ? remarks : complaints).warn(
                about: why.reason, "details of \"\(plan.names[title] ?? "")\": \(error.detail)\(consequence)")
            if isAbsence, let url = plan.urls[title] {
                try await cache.recordFailure(FailureRecord(url: url, reason: why.reason, detail: why.detail, at: clock.now()))
            }
            ledger.finish(title, .failed(why, kept: older))
        }
    }

    private func progressNow(_ ledger: DetailsLedger) async throws -> DetailsProgress {
        var progress = ledger.progress
        progress.wait = try await amodb.wait(forRequests: ledger.unsent)
        return progress
    }

    // MARK: - What was not asked for

    private func addUnasked(of plan: DetailsPlan, to result: inout Result) {
        let unasked = plan.toAsk.filter { result.outcomes[$0] == nil }
        guard !unasked.isEmpty else { return }
        let why: Manifest.Missing
        if let refusal = result.refusal {
            why = Manifest.Missing(refusal)
        } else {
            let limit = request.deadline.map { " of \($0.duration.components.seconds) s" } ?? ""
            why = Manifest.Missing(reason: .interrupted, detail: "the run's deadline\(limit) came first")
            log.warning(
                "the run's deadline\(limit) came with the details of \(unasked.count) of \(plan.count) titles not asked for; the next run goes on from there"
            )
        }
        for title in unasked { result.outcomes[title] = .failed(why, kept: plan.older[title]) }
    }
}

/// What has become of the titles whose details are asked for, so far.
private final class DetailsLedger: Sendable {
    private struct State {
        var outcomes: [TitleID: DetailsOutcome] = [:]
        var progress: DetailsProgress
        var sent: Set<TitleID> = []
    }

    private let state: Mutex<State>

    init(_ progress: DetailsProgress) {
        state = Mutex(State(progress: progress))
    }

    var outcomes: [TitleID: DetailsOutcome] { state.withLock(\.outcomes) }
    var progress: DetailsProgress { state.withLock(\.progress) }
    /// Titles whose turn has yet to come.
    var unsent: Int { state.withLock { $0.progress.toAsk - max($0.sent.count, $0.progress.done) } }

    /// A title's request has had its turn.
    func sent(_ title: TitleID) {
        state.withLock { _ = $0.sent.insert(title) }
    }

    func finish(_ title: TitleID, _ outcome: DetailsOutcome) {
        state.withLock { state in
            state.outcomes[title] = outcome
            state.progress.done += 1
            if outcome.failure != nil { state.progress.failed += 1 }
        }
    }
}

extension Duration {
    /// `1 minute`, `15 minutes`, `3 h 5 min`: to the minute, as an estimate deserves.
    package var inMinutes: String {
        let minutes = max(1, (components.seconds + 29) / 60)
        if minutes >= 120 { return "\(minutes / 60) h \(minutes % 60) min" }
        return minutes == 1 ? "1 minute" : "\(minutes) minutes"
    }
}
