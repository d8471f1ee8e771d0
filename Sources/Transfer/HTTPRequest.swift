/// A GET request, and how much its answer may cost.
package struct HTTPRequest: Sendable {
    package var address: WebAddress
    package var headers: [(String, String)]
    /// Sent as `Authorization: Bearer …`, to this very scheme, host and port and nowhere else.
    package var bearer: Secret?
    /// The most bytes that the body may have, after decompression.
    package var maximumBytes: Int
    /// The most time from handing the request in to the last byte, redirects included.
    package var deadline: Duration
    /// Whether the body may travel as gzip or brotli. For JSON; pictures are compressed already.
    package var acceptsCompression: Bool

    package init(
        _ address: WebAddress, headers: [(String, String)] = [], bearer: Secret? = nil, maximumBytes: Int, deadline: Duration,
        acceptsCompression: Bool = false
    ) {
        self.address = address
        self.headers = headers
        self.bearer = bearer
        self.maximumBytes = maximumBytes
        self.deadline = deadline
        self.acceptsCompression = acceptsCompression
    }
}
