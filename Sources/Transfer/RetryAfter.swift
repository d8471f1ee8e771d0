internal import Core
package import FoundationEssentials

/// The Retry-After header: a whole number of seconds, or a date.
package enum RetryAfter {
    /// How long to wait, zero for a date that has passed; nil if the header is absent or says nothing sensible (`-3`, `1.5`, an empty text).
    ///
    /// Not clamped: what is too long is the caller's to say.
    package static func delay(_ header: String?, now: Date) -> Duration? {
        guard let header else { return nil }
        let text = Substring(header).trimmingSpaces
        if let seconds = wholeSeconds(text) { return .seconds(seconds) }
        guard let date = HTTPDate.parse(text, now: now) else { return nil }
        return .seconds(max(0, date.timeIntervalSince(now)))
    }

    /// What the server's rate limit headers ask for: how long until the next request, if no more are left; nil otherwise.
    ///
    /// Read are `RateLimit-…` and `X-RateLimit-Remaining` with `-Reset`, in seconds from now or, when that large, since 1970.
    package static func delay(rateLimit headers: HTTPHeaders, now: Date) -> Duration? {
        for prefix in ["RateLimit-", "X-RateLimit-"] where headers[prefix + "Remaining"] == "0" {
            guard let reset = headers[prefix + "Reset"].flatMap({ wholeSeconds($0) }) else { continue }
            let seconds = reset > 1_000_000_000 ? Double(reset) - now.timeIntervalSince1970 : Double(reset)
            return .seconds(max(0, seconds))
        }
        return nil
    }

    /// Digits alone, and not more than any time takes.
    static func wholeSeconds(_ text: String) -> Int? {
        guard (1...10).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }
}
