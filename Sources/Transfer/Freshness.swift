internal import Core
package import FoundationEssentials

/// How long an answer may be used without asking again, as a cache of one's own reckons it (RFC 9111, 4.2).
package enum Freshness {
    /// A year, what servers say for «for ever».
    private static let longest = 365 * 86_400

    /// - Parameter otherwise: how long an answer stays fresh that says nothing about it.
    package static func freshUntil(_ headers: HTTPHeaders, now: Date, otherwise: Duration) -> Date {
        let directives = (headers["Cache-Control"] ?? "").split(separator: ",").map { $0.trimmingSpaces.lowercased() }
        if directives.contains(where: { $0 == "no-store" || $0 == "no-cache" || $0.hasPrefix("no-cache=") }) { return now }
        let age = headers["Age"].flatMap { RetryAfter.wholeSeconds($0) } ?? 0
        if let directive = directives.first(where: { $0.hasPrefix("max-age=") }) {
            let value = directive.dropFirst(8).filter { $0 != "\"" }
            // Unreadable is stale, as the standard advises. A number too large for any time is as good as a year.
            let isNumber = !value.isEmpty && value.utf8.allSatisfy { (48...57).contains($0) }
            let seconds = isNumber ? Int(value) ?? longest : 0
            return now.addingTimeInterval(Double(max(0, min(seconds, longest) - age)))
        }
        if let expires = headers["Expires"] {
            guard let end = HTTPDate.parse(expires, now: now) else { return now }
            let sent = headers["Date"].flatMap { HTTPDate.parse($0, now: now) } ?? now
            let seconds = min(end.timeIntervalSince(sent), Double(longest))
            return now.addingTimeInterval(max(0, seconds - Double(age)))
        }
        return now.addingTimeInterval(Double(otherwise.milliseconds) / 1_000)
    }
}
