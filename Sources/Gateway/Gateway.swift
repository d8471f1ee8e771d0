internal import Amodb
internal import Core
internal import Serving

/// Answers an app's requests in the movie API's place: the same paths, the same JSON, the same pictures, and the key stays here.
///
/// What is in memory is answered on the server's own thread. Everything else is a task: the cache is read, the API is asked, a picture is
/// fetched or made, each thing once however many ask for it.
package final class Gateway: Sendable {
    let metrics: Metrics
    private let answers: AnswerService
    private let pictures: PictureService
    private let site: SiteFolder?
    private let gatekeeper: Gatekeeper
    private let cors: CORSPolicy
    private let accessLog: AccessLog?
    private let clock: WallClock
    private let threads: WorkerThreads
    private let isEnding = Mutex(false)

    init(
        _ options: GatewayOptions, _ services: GatewayServices, tokens: TokenBook?, accessLog: AccessLog?, threads: WorkerThreads
    ) {
        metrics = Metrics()
        answers = AnswerService(options, services, upstream: Upstream(services, threads: threads, metrics: metrics))
        pictures = PictureService(options, services)
        site = options.site.map { SiteFolder(path: $0) }
        gatekeeper = Gatekeeper(options, plan: services.pace.perMinute, tokens: tokens, metrics: metrics)
        cors = CORSPolicy(options.origins)
        self.accessLog = accessLog
        clock = services.clock
        self.threads = threads
    }

    /// Asks the hosts for what requests need, until ``close()``.
    func run() async {
        async let answering: Void = answers.run()
        await pictures.run()
        await answering
    }

    func close() {
        answers.close()
        pictures.close()
    }

    /// What a refusal bears that the server makes by itself, so that a web page of an origin can read it too.
    func refusalHeaders(_ request: ServerRequest) -> [(name: String, value: String)] {
        cors.allowed(request.header("Origin"))?.headers ?? []
    }

    /// From here on it is not ready any more: no new requests are wanted.
    func beginEnding() { isEnding.withLock { $0 = true } }

    // MARK: - Requests

    /// Called on the server's threads.
    func answer(_ request: ServerRequest) -> ServerAnswer {
        let origin = cors.allowed(request.header("Origin"))
        if request.method == "OPTIONS" { return .now(options(origin)) }
        do throws(Problem) {
            switch Metrics.Area(of: request.target) {
            case .api: return try api(request, origin)
            case .pictures, .renditions: return try picture(request, origin)
            case .health: return .now(health(request.target))
            case .site, .other:
                try gatekeeper.passWithoutToken(request)
                return try page(request)
            }
        } catch {
            return .now(error.response(origin))
        }
    }

    /// Called on the server's threads when a request is over.
    func note(_ served: ServedRequest) {
        let request = served.request
        let seconds = served.duration / .seconds(1)
        metrics.served(.init(of: request.target), status: served.status, bytes: served.bytes, seconds: seconds)
        guard let accessLog else { return }
        let words = (request.note ?? "").split(separator: " ", maxSplits: 1)
        accessLog.write(
            AccessRecord(
                time: clock.now(), client: gatekeeper.client(of: request).description, user: words.count > 1 ? String(words[1]) : nil,
                method: request.method, target: request.target, status: served.status, bytes: served.bytes, seconds: seconds,
                cache: words.first.flatMap { CacheResult(rawValue: String($0)) }))
    }

    // MARK: - The API

    private func api(_ request: ServerRequest, _ origin: AllowedOrigin?) throws(Problem) -> ServerAnswer {
        let text = request.target
        let hasToken = Self.mayHaveToken(text)
        let user = try gatekeeper.pass(request) { () throws(Problem) in hasToken ? try RequestTarget(text).items : [] }
        let permit: AnswerService.Permit = { [gatekeeper] () throws(Problem) in try gatekeeper.mayAskUpstream(request) }
        if !hasToken, let served = answers.atOnce(text, permit) { return answer(with: served, to: request, user, origin) }
        let asked = try answers.asked(text, RequestTarget(text), remembering: !hasToken)
        if let served = answers.atOnce(asked, permit) { return answer(with: served, to: request, user, origin) }
        return .later { [self] in
            do throws(Problem) {
                return answer(with: try await answers.answer(asked, permit), to: request, user, origin)
            } catch {
                note(nil, user, on: request)
                return .now(error.response(origin))
            }
        }
    }

    private func answer(
        with served: AnswerService.Served, to request: ServerRequest, _ user: String?, _ origin: AllowedOrigin?
    ) -> ServerAnswer {
        metrics.cache(.api, served.result)
        note(served.result, user, on: request)
        let look = HotAnswer.Look(
            age: served.hot.answer.age(at: clock.now()), result: served.result, origin: origin, isPrivate: gatekeeper.asksForTokens)
        return served.hot.prepared(look).answering(request)
    }

    // MARK: - Pictures

    private func picture(_ request: ServerRequest, _ origin: AllowedOrigin?) throws(Problem) -> ServerAnswer {
        let text = request.target
        let hasToken = Self.mayHaveToken(text)
        let user = try gatekeeper.pass(request) { () throws(Problem) in hasToken ? try RequestTarget(text).items : [] }
        if let picture = pictures.atOnce(text) { return answer(with: .init(picture: picture, result: .hit), to: request, user, origin) }
        let target = try RequestTarget(text)
        let address = try pictures.address(in: target)
        let path = target.path
        if let picture = pictures.atOnce(path) { return answer(with: .init(picture: picture, result: .hit), to: request, user, origin) }
        return .later { [self] in
            do throws(Problem) {
                return answer(with: try await pictures.picture(address, target: path), to: request, user, origin)
            } catch {
                note(nil, user, on: request)
                return .now(error.response(origin))
            }
        }
    }

    private func answer(
        with served: PictureService.Served, to request: ServerRequest, _ user: String?, _ origin: AllowedOrigin?
    ) -> ServerAnswer {
        metrics.cache(.init(of: request.target), served.result)
        note(served.result, user, on: request)
        return served.picture.prepared(origin: origin, isPrivate: gatekeeper.asksForTokens).answering(request)
    }

    // MARK: - The rest

    private func page(_ request: ServerRequest) throws(Problem) -> ServerAnswer {
        guard let site else { throw .notFound }
        let target = try RequestTarget(request.target)
        return .later { [threads] in
            let found = await threads.run { Result { () throws(Problem) in try site.file(target) } }
            switch found {
            case .success(.file(let file, let etag, let mediaType)):
                let headers = [
                    ("Content-Type", mediaType), ("ETag", etag), ("Cache-Control", "no-cache"), ("X-Content-Type-Options", "nosniff"),
                ]
                return .now(ServerResponse(headers: headers.map { (name: $0.0, value: $0.1) }, file: file).answering(request))
            case .success(.redirect(let place)):
                return .now(ServerResponse(status: 308, headers: [("Location", place)]))
            case .failure(let problem): return .now(problem.response)
            }
        }
    }

    private func options(_ origin: AllowedOrigin?) -> ServerResponse {
        guard let origin else { return ServerResponse(status: 204, headers: [("Allow", "GET, HEAD, OPTIONS")]) }
        let preflight = origin == .nobody ? [] : CORSPolicy.preflight
        return ServerResponse(status: 204, headers: origin.headers + preflight + [("Allow", "GET, HEAD, OPTIONS")])
    }

    private func health(_ target: String) -> ServerResponse {
        let isReady = !isEnding.withLock { $0 }
        let isWell = isReady || target.hasPrefix("/healthz")
        return ServerResponse(
            status: isWell ? 200 : 503, headers: [("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store")],
            body: SharedBytes(Array((isWell ? "ok\n" : "ending\n").utf8)))
    }

    /// What the owner's own address answers.
    func adminAnswer(_ request: ServerRequest, _ statistics: () -> ServerStatistics?) -> ServerAnswer {
        switch request.rawPath {
        case "/healthz", "/readyz": return .now(health(request.target))
        case "/metrics":
            let connections = statistics()
            let held = answers.held
            let text = metrics.text(
                counters: [("connections_refused", "Connections turned away.", connections?.refused ?? 0)],
                gauges: [
                    ("connections", "Connections that are open.", connections?.open ?? 0),
                    ("answers_in_memory", "Answers of the API that are held in memory.", held.count),
                    ("answers_in_memory_bytes", "Bytes that they take.", held.bytes),
                    ("pictures_open", "Pictures whose files are open.", pictures.held),
                ])
            let headers = [(name: "Content-Type", value: "text/plain; version=0.0.4; charset=utf-8")]
            return .now(ServerResponse(headers: headers, body: SharedBytes(Array(text.utf8))))
        default: return .now(Problem.notFound.response)
        }
    }

    // MARK: - Private

    /// Whether a token may stand in a target, however it is written.
    private static func mayHaveToken(_ target: String) -> Bool {
        guard let question = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return false }
        let query = target[question...].utf8
        // The item's name has an underscore; in any other spelling it has a percent sign.
        return query.contains(UInt8(ascii: "%")) || target[question...].contains(Credentials.item)
    }

    /// Leaves word for the access log; nothing when there is none.
    private func note(_ result: CacheResult?, _ user: String?, on request: ServerRequest) {
        guard accessLog != nil else { return }
        let word = result?.rawValue ?? "-"
        request.setNote(user.map { "\(word) \($0)" } ?? word)
    }
}

extension Metrics.Area {
    init(of target: String) {
        if target.hasPrefix("/3/") {
            self = .api
        } else if target.hasPrefix("/t/p/") {
            self = .pictures
        } else if target.hasPrefix("/r/") {
            self = .renditions
        } else if target == "/healthz" || target == "/readyz" {
            self = .health
        } else {
            self = .site
        }
    }
}

extension Problem {
    /// The response, readable to web pages of an origin.
    func response(_ origin: AllowedOrigin?) -> ServerResponse {
        var response = response
        response.headers += origin?.headers ?? []
        return response
    }
}
