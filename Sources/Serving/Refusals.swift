/// What the server answers by itself, without the handler.
struct Refusals {
    let badRequest = Refusals.sentence(400, "This request is malformed.")
    let lengthRequired = Refusals.sentence(411, "A request's body needs a Content-Length.")
    let bodyTooLarge = Refusals.sentence(413, "This request's body is too large.")
    let targetTooLong = Refusals.sentence(414, "This request's path and query are too long.")
    let methodNotAllowed: PreparedResponse

    /// Sent before a connection is closed because there are too many.
    static let tooMany: StaticString =
        "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n"

    init(methods: [String]?) {
        methodNotAllowed = Self.sentence(405, "This method is not allowed here.", [("Allow", (methods ?? []).joined(separator: ", "))])
    }

    func response(_ status: Int) -> PreparedResponse {
        status == 411 ? lengthRequired : badRequest
    }

    private static func sentence(_ status: Int, _ sentence: String, _ headers: [(name: String, value: String)] = []) -> PreparedResponse {
        PreparedResponse(
            ServerResponse(
                status: status, headers: [("Content-Type", "text/plain; charset=utf-8")] + headers,
                body: SharedBytes(Array("\(sentence)\n".utf8))))
    }
}
