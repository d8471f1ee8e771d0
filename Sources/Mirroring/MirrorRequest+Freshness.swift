internal import Core
internal import FoundationEssentials
internal import Storage

// What of an earlier run still counts. One place, so that a preview promises what a run then does.
extension MirrorRequest {
    /// How long a picture that was not there, or a title that the API does not know, is not asked for again.
    private static let absenceLifetime: TimeInterval = 86_400

    /// Whether a copy may be used without asking its host.
    func isFresh(_ known: SourceRecord, at now: Date) -> Bool {
        if let retrying { return !retrying.contains(known.url) }
        // A copy from the future means that the clock was set back; its age is unknown, so the host is asked.
        return !refresh && known.fetchedAt <= now && now < known.freshUntil
    }

    /// Whether an earlier failure still stands for the absence of what was asked for.
    func remembers(_ failure: FailureRecord, at now: Date) -> Bool {
        let age = now.timeIntervalSince(failure.at)
        let isAbsence = failure.reason == .status(404) || failure.reason == .status(410)
        return isAbsence && age >= 0 && age < Self.absenceLifetime && !refresh && !retryMissing && retrying == nil
    }
}
