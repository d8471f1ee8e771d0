internal import Core
internal import Serving

/// What a client is told when it gets no answer: public words alone, never a host's, an operator's or another client's.
struct Problem: Error, Sendable, Equatable {
    let status: Int
    /// One sentence for whoever develops the client.
    let message: String
    /// Seconds until it is worth asking again.
    let retryAfter: Int?
    /// The scheme that a client is asked to authenticate by.
    let challenge: String?

    init(_ status: Int, _ message: String, retryAfter: Int? = nil, challenge: String? = nil) {
        self.status = status
        self.message = message
        self.retryAfter = retryAfter
        self.challenge = challenge
    }

    static func malformed(_ why: String) -> Problem { Problem(400, "The request is malformed: \(why).") }
    static let notFound = Problem(404, "There is nothing here that this gateway serves.")
    static let tokenMissing = Problem(
        401, "This gateway asks for a token: send it as Authorization: Bearer TOKEN.", challenge: "Bearer realm=\"posterity\"")
    static let tokenWrong = Problem(
        401, "This gateway does not know the token, or does not any more.", challenge: "Bearer realm=\"posterity\", error=\"invalid_token\""
    )
    static func tooMany(_ seconds: Int) -> Problem { Problem(429, "Too many requests; ask again later.", retryAfter: max(1, seconds)) }
    static let unavailable = Problem(503, "The service is busy; ask again in a moment.", retryAfter: 1)

    /// The number that the movie API gives this kind of error, so that a client's own handling of errors goes on working.
    private var statusCode: Int {
        switch status {
        case 401: 7
        case 404: 34
        case 429: 25
        case 400: 5
        case 504: 24
        default: 11
        }
    }

    /// As the movie API words its errors.
    var response: ServerResponse {
        struct Body: Encodable {
            let success = false
            let status_code: Int
            let status_message: String
        }
        let body = (try? JSONText.encode(Body(status_code: statusCode, status_message: message), pretty: false)) ?? []
        var headers = [
            ("Content-Type", "application/json;charset=utf-8"), ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
        ]
        if let retryAfter { headers.append(("Retry-After", String(retryAfter))) }
        if let challenge { headers.append(("WWW-Authenticate", challenge)) }
        return ServerResponse(status: status, headers: headers.map { (name: $0.0, value: $0.1) }, body: SharedBytes(body))
    }
}
