internal import Core
internal import FoundationEssentials
internal import Serving
internal import Storage
internal import Transfer

/// The API's answers: from memory, from the cache, or from the API, one question at a time however many ask it.
final class AnswerService: Sendable {
    /// An answer for a client, and how it came about.
    struct Served: Sendable {
        let hot: HotAnswer
        let result: CacheResult
    }

    /// A question, as it is asked upstream.
    struct Asked: Sendable {
        let address: WebAddress
        let isList: Bool
    }

    /// Asked before a client causes a request to the API; throws when it may not.
    typealias Permit = @Sendable () throws(Problem) -> Void

    private enum Limit {
        /// Questions that the API is being asked, or whose turn is waited for.
        static let flights = 128
        /// Answers that are being read from the cache, which takes no longer than the disk does.
        static let loads = 4_096
        static let targetBytes = 16_000_000
        static let troubles = 5_000
        /// After so many new answers the old ones are looked at.
        static let savesBetweenTrims = 50
        /// A question that has just failed is not asked again for so long.
        static let troubleLifetime = Duration.seconds(5)
    }

    private let policy: RequestPolicy
    private let upstream: Upstream
    private let cache: Cache
    private let clock: WallClock
    private let log: Log
    private let ages: KeptAnswer.Ages
    private let bounds: ResponseBounds
    private let alarm: Alarm
    private let flights = Flights<String, Result<Served, UpstreamTrouble>>(limit: Limit.flights)
    /// Apart from the flights: however many wait for the API, what is kept is given.
    private let loads = Flights<String, HotAnswer?>(limit: Limit.loads)
    private let hot: Mutex<Generations<String, HotAnswer>>
    /// What targets come to, as they were sent.
    private let targets = Mutex(Generations<String, Asked>(bound: Limit.targetBytes))
    private let troubles = Troubles<String, UpstreamTrouble>(bound: Limit.troubles)
    private let savesSinceTrim = Mutex(0)

    init(_ options: GatewayOptions, _ services: GatewayServices, upstream: Upstream) {
        policy = RequestPolicy(allowing: options.patterns)
        self.upstream = upstream
        cache = services.cache
        clock = services.clock
        log = services.log
        ages = options.ages
        bounds = options.responses
        alarm = Alarm(log: services.log)
        hot = Mutex(Generations(bound: options.memoryBytes))
    }

    func run() async {
        async let loading: Void = loads.run()
        await flights.run()
        await loading
    }

    func close() {
        flights.close()
        loads.close()
    }

    /// Answers in memory, and the bytes that they take.
    var held: (count: Int, bytes: Int) { hot.withLock { ($0.count, $0.cost) } }

    // MARK: - At once

    /// The answer to a target that was asked before, if it is in memory and good enough to be given at once.
    func atOnce(_ target: String, _ permit: Permit) -> Served? {
        guard let asked = targets.withLock({ $0[target] }) else { return nil }
        return atOnce(asked, permit)
    }

    /// The question that a target asks.
    ///
    /// - Parameter remembering: whether the target may be remembered as it was sent; not with a token in it.
    func asked(_ text: String, _ target: RequestTarget, remembering: Bool) throws(Problem) -> Asked {
        let question = try policy.question(in: target)
        let asked = Asked(address: try upstream.address(of: question), isList: question.isList)
        if remembering { targets.withLock { $0.set(text, asked, cost: text.utf8.count + 2 * asked.address.text.utf8.count + 200) } }
        return asked
    }

    /// Its answer, if it is in memory and good enough to be given at once.
    func atOnce(_ asked: Asked, _ permit: Permit) -> Served? {
        let key = asked.address.text
        guard let found = hot.withLock({ $0[key] }) else { return nil }
        switch found.answer.state(at: clock.now(), ages) {
        case .fresh: return Served(hot: found, result: .hit)
        case .stale:
            if refusal(of: key, permit) == nil, troubles[key] == nil {
                flights.begin(key) { await self.renewed(asked, earlier: found) }
            }
            return Served(hot: found, result: .stale)
        case .old, .useless: return nil
        }
    }

    // MARK: - In time

    /// The answer to a question, wherever it must come from.
    func answer(_ asked: Asked, _ permit: Permit) async throws(Problem) -> Served {
        let key = asked.address.text
        let earlier = try await kept(key)
        // What came from the disk and is stale is asked for anew, as it would be if it had been in memory.
        if let earlier, let served = asItIs(earlier) { return atOnce(asked, permit) ?? served }
        let landed =
            if let problem = refusal(of: key, permit) {
                self.earlier(earlier, despite: UpstreamTrouble(problem: problem))
            } else {
                await flights.value(for: key) { await self.found(asked, earlier: earlier) } ?? self.earlier(earlier, despite: .stopping)
            }
        switch landed {
        case .success(let served): return served
        case .failure(let trouble): throw trouble.problem
        }
    }

    // MARK: - Private

    private func found(_ asked: Asked, earlier: HotAnswer?) async -> Result<Served, UpstreamTrouble> {
        let key = asked.address.text
        // Another flight may have landed since it was looked up.
        let earlier = hot.withLock { $0[key] } ?? earlier
        if let earlier, let served = asItIs(earlier) { return .success(served) }
        if let trouble = troubles[key] { return self.earlier(earlier, despite: trouble) }
        return await renewed(asked, earlier: earlier)
    }

    private func renewed(_ asked: Asked, earlier: HotAnswer?) async -> Result<Served, UpstreamTrouble> {
        let key = asked.address.text
        switch await upstream.ask(asked.address, isList: asked.isList) {
        case .success(let given):
            let answer = HotAnswer(KeptAnswer(given.response, mayBeKept: given.mayBeKept))
            if given.mayBeKept {
                // A question that has become wrong (a title that was taken away) leaves no stale answer behind either.
                await save(given.response)
                hot.withLock { $0.set(key, answer, cost: answer.cost) }
            }
            return .success(Served(hot: answer, result: .miss))
        case .failure(let trouble):
            troubles.remember(trouble, of: key, for: Limit.troubleLifetime)
            return self.earlier(earlier, despite: trouble)
        }
    }

    /// What is kept, if it is good enough when there is no other.
    private func earlier(_ answer: HotAnswer?, despite trouble: UpstreamTrouble) -> Result<Served, UpstreamTrouble> {
        guard let answer, answer.answer.state(at: clock.now(), ages) != .useless else { return .failure(trouble) }
        return .success(Served(hot: answer, result: .stale))
    }

    /// Why the API may not be asked for a client's sake; nil when it may, or need not.
    private func refusal(of key: String, _ permit: Permit) -> Problem? {
        guard !flights.isUnderWay(key), troubles[key] == nil else { return nil }
        do throws(Problem) {
            try permit()
            return nil
        } catch {
            return error
        }
    }

    /// An answer that is good enough to be given without asking the API.
    private func asItIs(_ answer: HotAnswer) -> Served? {
        switch answer.answer.state(at: clock.now(), ages) {
        case .fresh: Served(hot: answer, result: .hit)
        case .stale: Served(hot: answer, result: .stale)
        case .old, .useless: nil
        }
    }

    // MARK: - The cache

    /// What memory or the disk holds.
    private func kept(_ key: String) async throws(Problem) -> HotAnswer? {
        if let held = hot.withLock({ $0[key] }) { return held }
        guard let loaded = await loads.value(for: key, { await self.load(key) }) else { throw .unavailable }
        return loaded
    }

    private func load(_ key: String) async -> HotAnswer? {
        do {
            guard let stored = try await cache.response(for: key) else { return nil }
            let answer = HotAnswer(KeptAnswer(stored))
            hot.withLock { $0.set(key, answer, cost: answer.cost) }
            return answer
        } catch {
            alarm.sound(error)
            return nil
        }
    }

    /// Keeps an answer for good before it is given to anybody. A cache in trouble is the owner's affair; the client gets its answer.
    private func save(_ response: StoredResponse) async {
        let isTrimDue = savesSinceTrim.withLock { count in
            count = (count + 1) % Limit.savesBetweenTrims
            return count == 0
        }
        do {
            try cache.keep(response)
            if isTrimDue { try cache.trimResponses(to: bounds) }
            try await cache.flush()
        } catch {
            alarm.sound(error)
        }
    }
}
