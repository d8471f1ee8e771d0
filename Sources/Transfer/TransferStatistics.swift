/// What a client has done so far.
package struct TransferStatistics: Sendable, Equatable {
    /// Requests that were started, each hop of a redirect for itself.
    package var requests = 0
    /// Bytes of bodies as they came over the wire, before decompression.
    package var bytesReceived = 0
    package var connectionsOpened = 0

    package init() {}
}
