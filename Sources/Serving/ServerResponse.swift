/// An ordinary answer. Content-Length, Date and Connection are added on the way out; a HEAD request gets everything but the body.
package struct ServerResponse: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)]
    package var body: SharedBytes

    package init(status: Int = 200, headers: [(name: String, value: String)] = [], body: SharedBytes = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// How a request is answered.
package enum ServerAnswer: Sendable {
    /// At once, on the server's own thread: for what is already in memory.
    case now(ServerResponse)
    /// By a task, while the server goes on with other requests. The task is cancelled when the server stops.
    case later(@Sendable () async -> ServerAnswer)
    /// By writing to the socket whatever is wanted, right or wrong; the connection is closed afterwards.
    case raw(@Sendable (RawConnection) async -> Void)
}
