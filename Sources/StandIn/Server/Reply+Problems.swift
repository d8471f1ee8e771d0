extension Reply {
    /// An error as the API words it.
    ///
    /// - Parameter code: TMDB's number for the kind of error.
    static func problem(_ status: Int, code: Int, _ message: String) -> Reply {
        Reply(
            status: status,
            json: .object([("status_code", .int(code)), ("status_message", .string(message)), ("success", .bool(false))]))
    }

    static let keyMissing = problem(401, code: 7, "Invalid API key: You must be granted a valid key.")
    static let keySuspended = problem(401, code: 10, "Suspended API key: Access to your account has been suspended, contact support.")
    static let planExpired = problem(402, code: 45, "Payment required: The period of your plan is over.")
    static let notFound = problem(404, code: 34, "The resource you requested could not be found.")
    static let methodNotAllowed = problem(405, code: 3, "This request method is not supported for this resource.")
    static let invalidPage = problem(400, code: 22, "Invalid page: Pages start at 1 and max at 500. They are expected to be an integer.")

    static func tooManyRequests(retryAfterSeconds: Int) -> Reply {
        var reply = problem(429, code: 25, "Your request count is over the allowed limit.")
        reply.set("Retry-After", "\(retryAfterSeconds)")
        return reply
    }
}
