/// Which failures are tried again, how often, and how long is waited.
package struct RetryPolicy: Sendable {
    /// Statuses that may well be others next time. 429 has its own count and wait.
    package var statuses: Set<Int> = [408, 425, 500, 502, 503, 504]
    /// Retries of one request after such a status or a lost, slow or cut transfer.
    package var maximumRetries = 3
    /// The first wait is a random part of this, each further one of twice as much (full jitter).
    package var firstDelay: Duration = .milliseconds(500)
    package var longestDelay: Duration = .seconds(8)
    /// Retries of one request after 429.
    package var maximumThrottleRetries = 2
    /// The wait after a 429 without a readable Retry-After.
    package var throttleDelay: Duration = .seconds(5)
    /// More than this is not waited, whatever Retry-After says.
    package var longestRetryAfter: Duration = .seconds(30)

    package init() {}

    /// For posters: many, and each dispensable for now.
    package static let images = RetryPolicy()
    /// As the API's documents ask: after 429 wait Retry-After, 5 s without one, at most 30 s, at most twice.
    package static let api = RetryPolicy()

    func backoff(afterRetries retries: Int) -> Duration {
        let scaled = firstDelay * (1 << min(retries, 16))
        return min(scaled, longestDelay) * Double.random(in: 0...1)
    }
}
