internal import Core
internal import FoundationEssentials
internal import Serving
internal import Storage

/// An answer of the API that is held in memory, and everything about it that a client is told.
struct KeptAnswer: Sendable {
    /// How old an answer may be.
    struct Ages: Sendable {
        /// A stale answer is given at once, while it is asked for anew, for so long after it has become stale.
        var whileRevalidating: TimeInterval = 86_400
        /// It is given when the API cannot be asked, for so long after it has become stale.
        var ifError: TimeInterval = 7 * 86_400
    }

    enum State: Sendable {
        case fresh
        /// Good enough while it is asked for anew.
        case stale
        /// Good enough only when there is no other.
        case old
        case useless
    }

    let status: Int
    let mediaType: String?
    let body: SharedBytes
    let etag: String
    let fetchedAt: Date
    let freshUntil: Date
    /// Whether anybody may keep it beyond the moment; the API says so.
    let mayBeKept: Bool

    init(_ stored: StoredResponse, mayBeKept: Bool = true) {
        self.mayBeKept = mayBeKept
        status = stored.status
        mediaType = stored.mediaType
        body = SharedBytes(stored.body)
        etag = "\"\(Digest(of: stored.body).hex.prefix(32))\""
        fetchedAt = stored.fetchedAt
        freshUntil = stored.freshUntil
    }

    func state(at now: Date, _ ages: Ages) -> State {
        // An answer from the future means that the clock was set back; its age is unknown.
        if fetchedAt > now { return .old }
        if now < freshUntil { return .fresh }
        let staleness = now.timeIntervalSince(freshUntil)
        // What was wrong with a question is forgotten as soon as it may be.
        guard status == 200, staleness < ages.ifError else { return .useless }
        return staleness < ages.whileRevalidating ? .stale : .old
    }

    /// Whole seconds since it came from the API.
    func age(at now: Date) -> Int { max(0, Int(now.timeIntervalSince(fetchedAt))) }

    /// Whole seconds that it is fresh for, from when it came.
    var lifetime: Int { max(0, Int(freshUntil.timeIntervalSince(fetchedAt))) }
}
