internal import Core
internal import FoundationEssentials
internal import Serving

/// Everything that the stand-in answers, in one place: API, images and control.
final class Site: Sendable {
    let log = RequestLog()
    let faults: FaultBook
    private let api: APIAnswers
    private let posters: PosterStore
    private let keys: KeyCheck
    private let cacheControl: String?
    private let sendsValidators: Bool
    private let currentWeek: Mutex<Int>

    init(options: StandInOptions, catalogue: Catalogue, posters: PosterStore) {
        api = APIAnswers(catalogue: catalogue)
        faults = FaultBook(options.faults)
        keys = KeyCheck(options)
        cacheControl = options.cacheControl
        sendsValidators = options.sendsValidators
        currentWeek = Mutex(options.week)
        self.posters = posters
    }

    var catalogue: Catalogue { api.catalogue }

    var week: Int {
        get { currentWeek.withLock { $0 } }
        set { currentWeek.withLock { $0 = newValue } }
    }

    /// No faults, nothing logged, nobody's plan used up.
    func reset() {
        faults.removeAll()
        log.reset()
        keys.reset()
    }

    func answer(_ request: ServerRequest) -> ServerAnswer {
        let area = RequestArea(path: request.path)
        guard area != .control else { return .now(control(request).response) }
        let rule = faults.rule(for: area, path: request.path)
        switch area {
        case .images: return image(request, rule: rule)
        default: return finish(apiReply(to: request), to: request, area: area, rule: rule)
        }
    }

    // MARK: - API

    private func apiReply(to request: ServerRequest) -> Reply {
        guard request.path.hasPrefix("/3/") else { return .notFound }
        if let refusal = keys.refusal(of: request) { return refusal }
        guard request.method == "GET" || request.method == "HEAD" else { return .methodNotAllowed }
        return api.answer(to: request, path: String(request.path.dropFirst(3)), week: week)
    }

    // MARK: - Images

    private func image(_ request: ServerRequest, rule: FaultRule?) -> ServerAnswer {
        let words = request.path.dropFirst(5).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard request.method == "GET" || request.method == "HEAD" else {
            return finish(Reply(status: 405), to: request, area: .images, rule: rule)
        }
        guard words.count == 2, let size = PosterSize(words[0]), let title = catalogue.title(posterPath: "/" + words[1]) else {
            return finish(Self.noSuchImage, to: request, area: .images, rule: rule)
        }
        if let poster = posters.remembered(title, size) {
            return finish(reply(with: poster, to: request), to: request, area: .images, rule: rule)
        }
        return .later { [self] in
            let reply: Reply
            do {
                reply = self.reply(with: try await posters.poster(title, size), to: request)
            } catch {
                reply = Reply(status: 500, body: SharedBytes(Array("the stand-in cannot paint this: \(error)\n".utf8)))
            }
            return finish(reply, to: request, area: .images, rule: rule)
        }
    }

    private func reply(with poster: Poster, to request: ServerRequest) -> Reply {
        var reply = Reply(headers: [("Content-Type", "image/jpeg")], body: poster.body)
        if let cacheControl { reply.headers.append(("Cache-Control", cacheControl)) }
        guard sendsValidators else { return reply }
        reply.headers.append(("ETag", poster.etag))
        reply.headers.append(("Last-Modified", HTTPDate.text(poster.lastModified)))
        if Self.isUnchanged(poster, for: request) {
            reply.status = 304
            reply.body = .empty
            reply.set("Content-Type", nil)
        }
        return reply
    }

    /// If-None-Match counts before If-Modified-Since, which is not looked at beside it.
    private static func isUnchanged(_ poster: Poster, for request: ServerRequest) -> Bool {
        if let tags = request.header("If-None-Match") {
            return tags == "*" || tags.split(separator: ",").contains { $0.drop { $0 == " " } == poster.etag }
        }
        guard let since = request.header("If-Modified-Since").flatMap({ HTTPDate.parse($0, now: Date()) }) else { return false }
        return poster.lastModified <= since
    }

    private static let noSuchImage = Reply(
        status: 404, headers: [("Content-Type", "text/html; charset=utf-8")], body: SharedBytes(Array("<h1>File not Found</h1>\n".utf8)))

    // MARK: - Finishing

    private func finish(_ reply: Reply, to request: ServerRequest, area: RequestArea, rule: FaultRule?) -> ServerAnswer {
        guard let rule else {
            log.add(request, area: area, status: reply.status, bytes: reply.body.count, fault: nil)
            return .now(reply.response)
        }
        let spoilt = rule.effect.spoil(reply, to: request)
        var status = spoilt.status
        if case .reset = rule.effect.wire { status = 0 }
        log.add(request, area: area, status: status, bytes: spoilt.body.count, fault: rule.description)
        return rule.effect.send(spoilt, isHead: request.method == "HEAD")
    }
}
