/// How a request is answered.
package enum ServerAnswer: Sendable {
    /// At once, on the server's own thread: for what is already in memory.
    case now(ServerResponse)
    /// At once, with what was made ready before; the cheapest.
    case prepared(PreparedResponse)
    /// By a task, while the server goes on with other requests. The task is cancelled when the server stops and the time for draining is over.
    case later(@Sendable () async -> ServerAnswer)
    /// By writing to the socket whatever is wanted, right or wrong; the connection is closed afterwards.
    case raw(@Sendable (RawConnection) async -> Void)
}
