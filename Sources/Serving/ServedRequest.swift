/// One request that is over, for access logs and metrics.
package struct ServedRequest: Sendable {
    /// Its headers can still be asked for while the hook runs, and its note was left by the handler.
    package let request: ServerRequest
    /// What was answered; 0 when the connection ended before that.
    package let status: Int
    /// Of the body, when all of it was handed to the system; else 0.
    package let bytes: Int
    /// From the request line's arrival to the last byte's leaving.
    package let duration: Duration
    /// Whether the whole answer was handed to the system, and the request was one that libmicrohttpd could read.
    package let isComplete: Bool
}
