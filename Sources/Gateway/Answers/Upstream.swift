internal import Amodb
internal import Core
internal import FoundationEssentials
internal import Mirroring
internal import Storage
internal import Transfer

/// The API as the gateway asks it: with the owner's key, at the plan's pace, and never for longer than a client waits.
final class Upstream: Sendable {
    private enum Limit {
        static let answerBytes = 8_000_000
        /// For one attempt.
        static let attempt = Duration.seconds(10)
        /// For all of it, the waiting included.
        static let whole = Duration.seconds(15)
        /// A turn that comes later is not waited for.
        static let turn = Duration.seconds(5)
        /// How long the API is left alone that has refused the key.
        static let afterRefusal = Duration.seconds(60)
        static let afterThrottling = Duration.seconds(5)
        static let longestPause = Duration.seconds(120)
    }

    /// How long an answer is kept that says nothing of it.
    private enum Lifetime {
        static let list = Duration.seconds(1_800)
        static let detail = Duration.seconds(86_400)
        static let notFound = Duration.seconds(300)
    }

    /// What the API gave.
    struct Answer: Sendable {
        let response: StoredResponse
        /// Whether the API lets others have it too.
        let mayBeKept: Bool
    }

    private struct Pause {
        let until: ContinuousClock.Instant
        let trouble: UpstreamTrouble

        /// The trouble, with the time that is left of it.
        var present: UpstreamTrouble { trouble.problem.status == 503 ? .busy(max(.zero, until - .now)) : trouble }
    }

    private let base: WebAddress
    private let key: Secret?
    private let keyAdvice: String
    private let governor: HostGovernor
    private let pace: RequestPace
    private let threads: WorkerThreads
    private let clock: WallClock
    private let log: Log
    private let metrics: Metrics
    private let pause = Mutex<Pause?>(nil)
    private let alarm: Alarm

    init(_ services: GatewayServices, threads: WorkerThreads, metrics: Metrics) {
        base = services.api
        key = services.key
        keyAdvice = services.keySource
        governor = services.mirror.governor
        pace = services.pace
        clock = services.clock
        log = services.log
        self.threads = threads
        self.metrics = metrics
        alarm = Alarm(log: services.log)
    }

    /// What `question` is asked as, without the key; its answer is kept by this.
    func address(of question: Question) throws(Problem) -> WebAddress {
        do throws(TransferError) {
            return try base.appending(path: "/" + question.path).appending(query: question.items)
        } catch {
            throw .notFound
        }
    }

    /// Asks the API.
    func ask(_ address: WebAddress, isList: Bool) async -> Result<Answer, UpstreamTrouble> {
        if let pause = pause.withLock({ $0 }), pause.until > .now { return .failure(pause.present) }
        guard let key else {
            alarm.sound("no API key: set AMODB_KEY, or name a file that holds it with --key-file; clients get errors until then")
            return .failure(.refused)
        }
        let started = ContinuousClock.now
        do {
            let request = HTTPRequest(
                address, headers: [("Accept", "application/json")], bearer: key, maximumBytes: Limit.answerBytes, deadline: Limit.attempt,
                acceptsCompression: true)
            let response = try await Deadline(in: Limit.whole).run { try await self.send(request) }
            guard let response else {
                metrics.upstream("timeout", seconds: (.now - started) / .seconds(1))
                log.warning("\(address): no answer within \(Limit.whole.components.seconds) s")
                return .failure(.tooSlow)
            }
            metrics.upstream(String(response.status), seconds: (.now - started) / .seconds(1))
            return await judge(response, from: address, isList: isList)
        } catch let trouble as UpstreamTrouble {
            return .failure(trouble)
        } catch let error as TransferError {
            metrics.upstream("none", seconds: (.now - started) / .seconds(1))
            return .failure(trouble(of: error))
        } catch {
            if !(error is CancellationError) { alarm.sound(error) }
            return .failure(.stopping)
        }
    }

    // MARK: - Asking

    private func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        var policy = RetryPolicy.api
        policy.maximumRetries = 1
        // Whoever waits for an answer is told to come back instead.
        policy.maximumThrottleRetries = 0
        let refusal = Mutex<(any Error)?>(nil)
        do throws(TransferError) {
            return try await governor.send(request, policy: policy) { [pace] in
                do {
                    guard let wait = try await pace.turn(within: Limit.turn) else { return }
                    throw UpstreamTrouble.busy(wait)
                } catch {
                    refusal.withLock { $0 = error }
                    throw error
                }
            }
        } catch {
            if let refusal = refusal.withLock({ $0 }) { throw refusal }
            if error.isCancellation { throw CancellationError() }
            throw error
        }
    }

    private func trouble(of error: TransferError) -> UpstreamTrouble {
        switch error.code {
        case .timedOut, .tooSlow:
            log.warning("\(error)")
            return .tooSlow
        case .hostUnavailable:
            log.debug("\(error)")
            return UpstreamTrouble(problem: Problem(503, UpstreamTrouble.failed.problem.message, retryAfter: 15))
        case .badResponse, .tooManyBytes, .truncated, .tooManyRedirects, .notAllowed:
            log.warning("\(error)")
            return .brokenAnswer
        default:
            log.warning("\(error)")
            return .failed
        }
    }

    // MARK: - Judging

    private func judge(
        _ response: HTTPResponse, from address: WebAddress, isList: Bool
    ) async -> Result<Answer, UpstreamTrouble> {
        switch response.status {
        case 200, 400, 404, 422:
            guard await isJSON(response) else {
                log.warning("\(address): answered \(response.status), but not with JSON")
                return response.status == 404 ? .failure(UpstreamTrouble(problem: .notFound)) : .failure(.brokenAnswer)
            }
            return .success(answer(response, from: address, isList: isList))
        case 401, 403:
            alarm.sound(
                "\(address.hostAndPort) refuses the API key: missing, wrong or suspended (\(response.status)); check \(keyAdvice). "
                    + "Clients get what is kept, else 502")
            return .failure(pause(for: Limit.afterRefusal, .refused))
        case 402:
            alarm.sound(
                "\(address.hostAndPort): the plan's period is over (402); renew it to go on. Clients get what is kept, else 502")
            return .failure(pause(for: Limit.afterRefusal, .refused))
        case 429:
            let wait = RetryAfter.delay(response.headers["Retry-After"], now: clock.now()) ?? Limit.afterThrottling
            log.warning("\(address.hostAndPort): too many requests (429); it is left alone for \(wait.components.seconds) s")
            return .failure(pause(for: min(max(wait, .seconds(1)), Limit.longestPause), .busy(wait)))
        case 504:
            return .failure(.tooSlow)
        default:
            log.warning("\(address): answered \(response.status)")
            return .failure(response.status == 200 || response.status < 400 ? .brokenAnswer : .failed)
        }
    }

    private func answer(_ response: HTTPResponse, from address: WebAddress, isList: Bool) -> Answer {
        let now = clock.now()
        let freshUntil =
            response.status == 200
            ? Freshness.freshUntil(response.headers, now: now, otherwise: isList ? Lifetime.list : Lifetime.detail)
            : now.addingTimeInterval(Lifetime.notFound / .seconds(1))
        let directives = (response.headers["Cache-Control"] ?? "").lowercased()
        return Answer(
            response: StoredResponse(
                url: address.text, status: response.status, mediaType: Self.mediaType(of: response), body: response.body, fetchedAt: now,
                freshUntil: freshUntil),
            mayBeKept: !directives.contains("no-store") && !directives.contains("private"))
    }

    private func pause(for duration: Duration, _ trouble: UpstreamTrouble) -> UpstreamTrouble {
        pause.withLock { $0 = Pause(until: .now + duration, trouble: trouble) }
        return trouble
    }

    /// Whether the body is whole JSON and not called something else, which a browser might take it for.
    private func isJSON(_ response: HTTPResponse) async -> Bool {
        struct Anything: Decodable {
            init(from decoder: any Decoder) {}
        }
        if let type = response.headers["Content-Type"]?.lowercased().prefix(while: { $0 != ";" }) {
            let words = type.filter { $0 != " " }.split(separator: "/")
            guard words.count == 2, ["application", "text"].contains(words[0]), words[1].hasSuffix("json") else { return false }
        }
        let body = response.body
        return await threads.run { (try? JSONText.decode(Anything.self, from: body)) != nil }
    }

    /// The media type as the API named it, if a header can bear it.
    private static func mediaType(of response: HTTPResponse) -> String? {
        guard let type = response.headers["Content-Type"], type.utf8.count <= 100, type.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else {
            return nil
        }
        return type
    }
}
