package import Core

/// A run in numbers.
package struct MirrorSummary: Sendable, Encodable, Equatable {
    package var titles = 0
    /// Titles for which the API names no poster.
    package var withoutPoster = 0
    /// Posters × sizes, each URL once.
    package var pictures = 0
    package var fetched = 0
    package var unchanged = 0
    package var fresh = 0
    /// Could not be had, but an earlier copy is there.
    package var kept = 0
    /// Could not be had, and there is none.
    package var failed = 0
    /// Renditions made in this run.
    package var rendered = 0
    /// How often each reason stood in the way.
    package var reasons: [String: Int] = [:]
    /// Nil when no details were asked for.
    package var details: DetailsSummary?
    /// Requests sent, lists and retries included.
    package var requests = 0
    /// Bytes received on the wire.
    package var bytes = ByteCount(0)
    package var seconds = 0.0

    package init() {}

    /// Whether every picture that exists was had.
    package var isComplete: Bool { kept == 0 && failed == 0 }

    mutating func count(_ outcome: PictureOutcome, rendered: Int) {
        switch outcome {
        case .fresh: fresh += 1
        case .unchanged: unchanged += 1
        case .fetched: fetched += 1
        case .kept: kept += 1
        case .missing: failed += 1
        }
        if let failure = outcome.failure { reasons[failure.reason.rawValue, default: 0] += 1 }
        self.rendered += rendered
    }
}

/// The details of a run's titles in numbers; each title counts once, however many lists it is in.
package struct DetailsSummary: Sendable, Encodable, Equatable {
    package var titles = 0
    /// Asked for in this run, and had.
    package var fetched = 0
    /// Kept from less than a week ago, and not asked for.
    package var fresh = 0
    /// Could not be had, but an older answer is there.
    package var kept = 0
    /// Could not be had, and there is no older answer.
    package var missing = 0
    /// How often each reason stood in the way.
    package var reasons: [String: Int] = [:]

    package init() {}

    mutating func count(_ outcome: DetailsOutcome) {
        titles += 1
        switch outcome {
        case .fresh: fresh += 1
        case .fetched: fetched += 1
        case .kept: kept += 1
        case .missing: missing += 1
        }
        if let failure = outcome.failure { reasons[failure.reason.rawValue, default: 0] += 1 }
    }
}
