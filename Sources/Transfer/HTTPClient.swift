package import Core

/// An HTTP client for many small downloads: HTTP/2 where the host speaks it, connections kept and shared, everything bounded.
///
/// All transfers run on one thread of libcurl's (see `TransferLoop`), which lives as long as ``withClient(_:log:_:)``.
package final class HTTPClient: Sendable {
    package struct Configuration: Sendable {
        package var connectionsPerHost = 6
        package var maximumRedirects = 5
        package var connectTimeout: Duration = .seconds(10)
        /// A transfer slower than this for so long is given up.
        package var lowSpeed: (bytesPerSecond: Int, for: Duration) = (1_000, .seconds(20))
        /// All header fields of an answer together, redirects each for itself. An honest server's are below 8 kB.
        package var maximumHeaderBytes = 64_000
        /// Whether plain HTTP may go to hosts other than this machine.
        package var allowsInsecureHTTP = false
        /// A PEM file of certificates to trust instead of the system's.
        package var certificateAuthorityFile: String?
        package var userAgent = "posterity/1"

        package init() {}
    }

    private let configuration: Configuration
    private let loop: TransferLoop
    private let log: Log

    private init(configuration: Configuration, loop: TransferLoop, log: Log) {
        self.configuration = configuration
        self.loop = loop
        self.log = log
    }

    /// Runs `body` with a client, and closes its connections and its thread when it returns or throws.
    package static func withClient<Value>(
        _ configuration: Configuration = Configuration(), log: Log, _ body: (HTTPClient) async throws -> Value
    ) async throws -> Value {
        let loop = TransferLoop(configuration)
        loop.start()
        do {
            let value = try await body(HTTPClient(configuration: configuration, loop: loop, log: log))
            await loop.stop()
            return value
        } catch {
            await loop.stop()
            throw error
        }
    }

    /// Fetches `request`'s address, and follows redirects.
    ///
    /// Any status is an answer, not an error. Cancelling the task ends the transfer at once and closes its stream.
    package func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        try check(request)
        let end = ContinuousClock.now + request.deadline
        var address = request.address
        var origin: NetworkClass?
        var redirects = 0
        while true {
            try check(address)
            let hop = try await loop.run(plan(for: request, at: address, redirectedFrom: origin, end: end))
            log.debug("\(address): \(hop.response.status), \(ByteCount(hop.response.body.count)), \(hop.response.protocolVersion)")
            guard let location = hop.redirectLocation else { return hop.response }
            guard redirects < configuration.maximumRedirects else {
                throw TransferError(
                    .tooManyRedirects, address: request.address.description,
                    detail: "\(request.address) redirects more than \(configuration.maximumRedirects) times, last to \(address)")
            }
            redirects += 1
            // Set once: a chain of redirects may not widen step by step what the first host was allowed.
            origin = origin ?? NetworkClass(ofHost: address.host) ?? NetworkClass(ofHost: hop.peerAddress) ?? .everywhere
            address = try target(of: location, from: address, origin: origin ?? .everywhere)
        }
    }

    package var statistics: TransferStatistics { loop.statistics }

    // MARK: - Private

    /// A line break in a header would begin another header, or another request.
    private func check(_ request: HTTPRequest) throws(TransferError) {
        let texts = request.headers.flatMap { [$0.0, $0.1] } + [request.bearer?.text ?? ""]
        guard !texts.contains(where: { $0.utf8.contains { $0 < 32 || $0 == 127 } }) else {
            throw TransferError(
                .notAllowed, address: request.address.description,
                detail: "a header or the key for \(request.address.hostAndPort) has a line break or another control character in it")
        }
    }

    private func check(_ address: WebAddress) throws(TransferError) {
        guard address.scheme == "https" || configuration.allowsInsecureHTTP || address.isLoopback else {
            throw TransferError(
                .notAllowed, address: address.description,
                detail: "\(address) is plain HTTP, which is allowed to this machine only: use https, or allow insecure HTTP")
        }
    }

    private func target(of location: String, from address: WebAddress, origin: NetworkClass) throws(TransferError) -> WebAddress {
        let next: WebAddress
        do throws(TransferError) {
            next = try address.following(location: location)
        } catch {
            throw TransferError(.notAllowed, address: address.description, detail: "\(address) redirects wrongly: \(error.detail)")
        }
        if let network = NetworkClass(ofHost: next.host), !network.isReachable(from: origin) {
            throw TransferError(
                .notAllowed, address: address.description, detail: "\(address) redirects into a private network, to \(next.hostAndPort)")
        }
        if next.scheme == "http", !configuration.allowsInsecureHTTP, !next.isLoopback {
            throw TransferError(.notAllowed, address: address.description, detail: "\(address) redirects to plain HTTP, to \(next)")
        }
        return next
    }

    private func plan(
        for request: HTTPRequest, at address: WebAddress, redirectedFrom origin: NetworkClass?, end: ContinuousClock.Instant
    ) -> TransferPlan {
        let isOwnOrigin = address.origin == request.address.origin
        var headers = request.headers
        if !isOwnOrigin { headers.removeAll { ["authorization", "cookie"].contains($0.0.lowercased()) } }
        return TransferPlan(
            address: address, headers: headers, bearer: isOwnOrigin ? request.bearer : nil, maximumBytes: request.maximumBytes,
            acceptsCompression: request.acceptsCompression, redirectedFrom: origin, deadline: request.deadline, end: end)
    }
}
