internal import Core
internal import FoundationEssentials
internal import Serving

/// Lets requests with a good key through, and counts them against its plan.
final class KeyCheck: Sendable {
    private let keys: Set<String>
    private let expired: Set<String>
    private let suspended: Set<String>
    private let requestsPerMinute: Int?
    /// When each key's requests of the last minute came, in seconds of a clock that is never set.
    private let recent = Mutex<[String: [Double]]>([:])

    init(_ options: StandInOptions) {
        keys = Set(options.keys)
        expired = Set(options.expiredKeys)
        suspended = Set(options.suspendedKeys)
        requestsPerMinute = options.requestsPerMinute
    }

    /// The refusal; nil when the request may pass.
    func refusal(of request: ServerRequest) -> Reply? {
        let key = Self.key(of: request)
        guard let key else { return .keyMissing }
        if expired.contains(key) { return .planExpired }
        if suspended.contains(key) { return .keySuspended }
        guard keys.contains(key) else { return .keyMissing }
        guard let requestsPerMinute else { return nil }
        let now = ProcessInfo.processInfo.systemUptime
        let wait: Double? = recent.withLock { recent in
            var times = recent[key, default: []].filter { now - $0 < 60 }
            defer { recent[key] = times }
            if times.count >= requestsPerMinute { return 60 - (now - times[0]) }
            times.append(now)
            return nil
        }
        return wait.map { .tooManyRequests(retryAfterSeconds: Int($0.rounded(.up))) }
    }

    func reset() {
        recent.withLock { $0 = [:] }
    }

    private static func key(of request: ServerRequest) -> String? {
        if let header = request.header("Authorization"), header.lowercased().hasPrefix("bearer ") { return String(header.dropFirst(7)) }
        return request.queryValue("api_key")
    }
}
