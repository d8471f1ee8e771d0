/// Why the API has given no answer, as a client is to be told; the owner reads the whole in the log.
struct UpstreamTrouble: Error, Sendable, Equatable {
    let problem: Problem

    /// The key is missing, refused or its plan is over: nothing that a client could do anything about.
    static let refused = UpstreamTrouble(
        problem: Problem(502, "The service behind this gateway cannot be used at the moment; its operator has been told.", retryAfter: 60))
    static let brokenAnswer = UpstreamTrouble(problem: Problem(502, "The service behind this gateway gave an answer that makes no sense."))
    static let failed = UpstreamTrouble(problem: Problem(502, "The service behind this gateway is in trouble."))
    static let tooSlow = UpstreamTrouble(problem: Problem(504, "The service behind this gateway did not answer in time."))
    static let stopping = UpstreamTrouble(problem: .unavailable)

    /// The plan's requests are used up for now.
    static func busy(_ wait: Duration) -> UpstreamTrouble {
        let seconds = Int(max(1, min(wait.components.seconds + 1, 120)))
        return UpstreamTrouble(
            problem: Problem(503, "Too much is asked of the service behind this gateway; ask again later.", retryAfter: seconds))
    }
}
