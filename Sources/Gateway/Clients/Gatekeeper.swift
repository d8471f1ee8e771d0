internal import Core
internal import Serving

/// Decides who is let in: by address, by token, and not too often.
struct Gatekeeper: Sendable {
    private let tokens: TokenBook?
    private let byAddress: RateLimiter<ClientAddress>?
    private let byToken: RateLimiter<String>?
    private let shares: UpstreamShares?
    private let isBehindProxy: Bool
    private let metrics: Metrics

    /// - Parameter plan: requests that the API allows in a minute; nil for no limit.
    init(_ options: GatewayOptions, plan: Int?, tokens: TokenBook?, metrics: Metrics) {
        self.tokens = tokens
        byAddress = options.requestsPerClient.map { RateLimiter(perMinute: $0) }
        byToken = tokens == nil ? nil : options.requestsPerToken.map { RateLimiter(perMinute: $0) }
        shares = plan.map { UpstreamShares(perMinute: $0) }
        isBehindProxy = options.isBehindProxy
        self.metrics = metrics
    }

    /// Whether answers are for those alone who have a token.
    var asksForTokens: Bool { tokens != nil }

    func client(of request: ServerRequest) -> ClientAddress { ClientAddress(of: request, isBehindProxy: isBehindProxy) }

    /// Lets a request pass that needs no token.
    func passWithoutToken(_ request: ServerRequest) throws(Problem) {
        guard let byAddress, let wait = byAddress.take(client(of: request).network) else { return }
        metrics.refused(.addressRate)
        throw .tooMany(wait)
    }

    /// Lets a request pass, if its token is good.
    ///
    /// - Parameter items: the target's query, asked for only if it may hold a token.
    /// - Returns: the token's name; nil when none is asked for.
    func pass(_ request: ServerRequest, items: () throws(Problem) -> [RequestTarget.Item]) throws(Problem) -> String? {
        // First of all, so that nobody can try tokens without end.
        try passWithoutToken(request)
        guard let tokens else { return nil }
        let authorization = request.header("Authorization")
        let token = Credentials.token(authorization: authorization, items: authorization == nil ? try items() : [])
        guard let token, let name = tokens.name(of: token) else {
            metrics.refused(.token)
            throw token == nil ? .tokenMissing : .tokenWrong
        }
        if let wait = byToken?.take(name) {
            metrics.refused(.tokenRate)
            throw .tooMany(wait)
        }
        return name
    }

    /// Lets a client cause a request to the API, unless it has used up its share of the plan.
    func mayAskUpstream(_ request: ServerRequest) throws(Problem) {
        guard let wait = shares?.take(client(of: request).network) else { return }
        metrics.refused(.share)
        throw .tooMany(wait)
    }
}
