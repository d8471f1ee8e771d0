internal import Core
internal import Serving

/// How an answer came about, as `X-Cache` says it.
enum CacheResult: String, Sendable, CaseIterable {
    case hit, miss, stale
}

/// A kept answer, and the response that was last made of it: within a second it is the same for everybody.
final class HotAnswer: Sendable {
    /// What of a response differs from one request to the next.
    struct Look: Sendable, Equatable {
        let age: Int
        let result: CacheResult
        let origin: AllowedOrigin?
        let isPrivate: Bool
    }

    /// What holding it costs besides its body.
    private static let overheadBytes = 1_000

    let answer: KeptAnswer
    private let ready = Mutex<(look: Look, response: PreparedResponse)?>(nil)

    init(_ answer: KeptAnswer) {
        self.answer = answer
    }

    var cost: Int { answer.body.count + Self.overheadBytes }

    /// The whole response, ready to be sent.
    func prepared(_ look: Look) -> PreparedResponse {
        if let response = ready.withLock({ $0?.look == look ? $0?.response : nil }) { return response }
        var headers = headers(look)
        headers.append(("Content-Type", answer.mediaType ?? "application/json;charset=utf-8"))
        let response = PreparedResponse(ServerResponse(status: answer.status, headers: headers, body: answer.body))
        ready.withLock { $0 = (look, response) }
        return response
    }

    private func headers(_ look: Look) -> [(name: String, value: String)] {
        let keeping = answer.mayBeKept ? "\(look.isPrivate ? "private" : "public"), max-age=\(answer.lifetime)" : "no-store"
        var headers: [(name: String, value: String)] = [
            ("Cache-Control", keeping), ("Age", String(look.age)),
            ("X-Cache", look.result.rawValue), ("X-Content-Type-Options", "nosniff"),
        ]
        if answer.status == 200 { headers.append(("ETag", answer.etag)) }
        if let origin = look.origin { headers += origin.headers }
        return headers
    }
}
