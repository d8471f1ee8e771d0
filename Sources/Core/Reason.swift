/// Why a poster, or one size of it, is not there: a stable code that manifests, logs and scripts rely on.
///
/// The codes are listed, with what each means and what to do, in `docs/reasons.md`; a code once published keeps its meaning.
package struct Reason: RawRepresentable, Sendable, Hashable, Codable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    // The title itself
    /// The API names no poster for the title. Normal, not a failure.
    package static let noPoster = Reason(rawValue: "no-poster")
    /// The poster path is not one that a URL may be built from.
    package static let badPath = Reason(rawValue: "bad-path")

    // Reaching the host
    package static let nameNotFound = Reason(rawValue: "name-not-found")
    package static let connectionRefused = Reason(rawValue: "connection-refused")
    package static let connectionLost = Reason(rawValue: "connection-lost")
    package static let timedOut = Reason(rawValue: "timed-out")
    package static let tooSlow = Reason(rawValue: "too-slow")
    package static let tlsFailed = Reason(rawValue: "tls-failed")
    package static let notAllowed = Reason(rawValue: "not-allowed")
    package static let tooManyRedirects = Reason(rawValue: "too-many-redirects")
    package static let badResponse = Reason(rawValue: "bad-response")
    /// Not asked for, because the host had failed too often shortly before.
    package static let hostUnavailable = Reason(rawValue: "host-unavailable")

    // The answer
    /// An HTTP status that means failure, such as `http-404`.
    package static func status(_ status: Int) -> Reason { Reason(rawValue: "http-\(status)") }
    package static let tooManyBytes = Reason(rawValue: "too-many-bytes")
    package static let truncatedTransfer = Reason(rawValue: "truncated-transfer")

    // The picture
    package static let emptyBody = Reason(rawValue: "empty-body")
    package static let notAnImage = Reason(rawValue: "not-an-image")
    package static let formatNotAllowed = Reason(rawValue: "format-not-allowed")
    package static let tooManyPixels = Reason(rawValue: "too-many-pixels")
    package static let truncatedImage = Reason(rawValue: "truncated-image")
    package static let damagedImage = Reason(rawValue: "damaged-image")
    package static let renderFailed = Reason(rawValue: "render-failed")

    // The details of a title
    /// No API key was given.
    package static let noKey = Reason(rawValue: "no-key")
    /// 200, but not what was asked for.
    package static let badAnswer = Reason(rawValue: "bad-answer")

    // This side
    package static let cacheTrouble = Reason(rawValue: "cache-trouble")
    package static let interrupted = Reason(rawValue: "interrupted")
}

extension Reason: CustomStringConvertible {
    package var description: String { rawValue }
}
