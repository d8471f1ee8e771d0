internal import Core
package import Imaging
package import Mirroring
package import Serving
package import Storage

/// How a gateway is to behave.
package struct GatewayOptions: Sendable {
    /// Where clients come in.
    package var listen: [ListenAddress] = []
    /// Where the owner looks, without a token: health and metrics; nil for nowhere.
    package var admin: ListenAddress?
    /// The file of tokens; nil lets everybody in.
    package var tokensFile: String?
    /// Requests that one address may make in a minute; nil for no limit.
    package var requestsPerClient: Int?
    /// Requests that all who have the same token may make in a minute together; nil for no limit.
    package var requestsPerToken: Int?
    /// Whether a proxy stands before it that tells the client's address in `X-Forwarded-For`.
    package var isBehindProxy = false
    /// Paths of the API that may be asked besides the usual ones.
    package var patterns: [RoutePattern] = []
    /// Sizes of pictures that may be asked for.
    package var sizes: [PosterSize] = []
    /// What may be made of pictures, by the names that clients know it by.
    package var recipes: [String: Recipe] = [:]
    /// Origins whose web pages may read the answers; `*` for all.
    package var origins: [String] = []
    /// A published site to serve beside.
    package var site: String?
    package var accessLog = AccessLogForm.off
    /// Nil for standard error.
    package var accessLogFile: String?
    /// Threads that serve.
    package var workers = 1
    /// Ten thousand that only wait for their next request leave room for others.
    package var connections = 12_000
    /// How long answers under way are waited for at the end.
    package var drainSeconds = 8
    /// Answers in memory.
    package var memoryBytes = 64_000_000
    /// Pictures whose files are kept open; each takes two descriptors.
    package var openPictures = 2_000
    /// Answers in the cache.
    package var responses = ResponseBounds(count: 50_000, bytes: ByteCount(500_000_000))
    var ages = KeptAnswer.Ages()

    package init() {}

    /// How long an answer may be given after it has become stale, when the API cannot be asked.
    package var longestStaleness: Duration {
        get { .seconds(ages.ifError) }
        set {
            ages.ifError = newValue / .seconds(1)
            ages.whileRevalidating = min(ages.whileRevalidating, ages.ifError)
        }
    }
}
