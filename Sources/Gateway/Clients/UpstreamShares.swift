internal import Core
internal import Serving

/// How much of the plan each client may use up: no more than half of it in any minute, so that nobody takes what all others wait for.
final class UpstreamShares: Sendable {
    private static let window = Duration.seconds(60)
    /// Requests that are remembered at once; of more, those of whoever has asked nothing for longest are forgotten.
    private static let mostTimes = 200_000

    private let most: Int
    private let times = Mutex(Generations<ClientAddress, [ContinuousClock.Instant]>(bound: mostTimes))

    /// - Parameter perMinute: what the plan allows.
    init(perMinute: Int) {
        most = max(1, perMinute / 2)
    }

    /// Takes one request out of a client's share.
    ///
    /// - Returns: nil when it may be sent; else after how many seconds the next one may.
    func take(_ client: ClientAddress, now: ContinuousClock.Instant = .now) -> Int? {
        times.withLock { times in
            var recent = times[client] ?? []
            recent.removeAll { now - $0 >= Self.window }
            defer { times.set(client, recent, cost: max(1, recent.count)) }
            if recent.count >= most {
                return Int(((Self.window - (now - recent[0])) / .seconds(1)).rounded(.up))
            }
            recent.append(now)
            return nil
        }
    }
}
