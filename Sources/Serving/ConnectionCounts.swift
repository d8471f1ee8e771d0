internal import Core

/// What a server has to say about its connections.
package struct ServerStatistics: Sendable {
    package var open = 0
    package var accepted = 0
    /// Turned away because there were too many, in all or of one client.
    package var refused = 0
}

/// Counts the connections of all workers, and says whether one more may come.
final class ConnectionCounts: Sendable {
    private struct State {
        var statistics = ServerStatistics()
        var perClient: [ClientAddress: Int] = [:]
    }

    private let limit: Int
    private let limitPerClient: Int?
    private let state = Mutex(State())

    init(limit: Int, limitPerClient: Int?) {
        self.limit = limit
        self.limitPerClient = limitPerClient
    }

    var statistics: ServerStatistics { state.withLock { $0.statistics } }

    /// Counts one more; false if that would be too many.
    func admit(_ client: ClientAddress) -> Bool {
        state.withLock { state in
            guard state.statistics.open < limit, admit(client.network, in: &state) else {
                state.statistics.refused += 1
                return false
            }
            state.statistics.open += 1
            state.statistics.accepted += 1
            return true
        }
    }

    func release(_ client: ClientAddress) {
        state.withLock { state in
            state.statistics.open -= 1
            guard limitPerClient != nil, let count = state.perClient[client.network] else { return }
            state.perClient[client.network] = count > 1 ? count - 1 : nil
        }
    }

    private func admit(_ network: ClientAddress, in state: inout State) -> Bool {
        guard let limitPerClient, network != .unix else { return true }
        let count = state.perClient[network, default: 0]
        guard count < limitPerClient else { return false }
        state.perClient[network] = count + 1
        return true
    }
}
