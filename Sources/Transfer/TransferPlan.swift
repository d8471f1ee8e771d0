/// One request of one hop, as the loop carries it out.
struct TransferPlan: Sendable {
    let address: WebAddress
    let headers: [(String, String)]
    let bearer: Secret?
    let maximumBytes: Int
    let acceptsCompression: Bool
    /// Where the first hop went, if this is a later one: bounds which addresses may be connected to.
    let redirectedFrom: NetworkClass?
    /// The time given to the whole, for messages.
    let deadline: Duration
    /// When that time is over.
    let end: ContinuousClock.Instant

    var timeLeft: Duration { end - .now }

    var timedOut: TransferError {
        TransferError(
            .timedOut, address: address.description, detail: "\(address.hostAndPort) did not answer completely within \(deadline.inWords)")
    }
}

/// What one hop ended with.
struct TransferHop: Sendable {
    let response: HTTPResponse
    /// The IP address that was connected to.
    let peerAddress: String

    /// Where to go instead, if the status says so.
    var redirectLocation: String? {
        guard [301, 302, 303, 307, 308].contains(response.status) else { return nil }
        return response.headers["Location"]
    }
}

extension Duration {
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000)
    }

    /// `10 s`, `1.5 s`, `20 ms`.
    var inWords: String {
        let milliseconds = milliseconds
        if milliseconds < 1_000 { return "\(milliseconds) ms" }
        let tenths = (milliseconds + 50) / 100
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}
