internal import Glibc

/// The sockets that all workers accept from.
final class Listeners: Sendable {
    /// In the order asked for.
    let descriptors: [Int32]
    let addresses: [ListenAddress]
    private let sockets: [Box]

    /// An array's elements must be copyable.
    private final class Box: Sendable {
        let socket: ListeningSocket

        init(_ address: ListenAddress) throws(HTTPServerError) { socket = try ListeningSocket(address) }
    }

    init(_ addresses: [ListenAddress]) throws(HTTPServerError) {
        guard !addresses.isEmpty else { throw HTTPServerError(code: .badAddress, description: "there is no address to listen on") }
        var sockets: [Box] = []
        for address in addresses { sockets.append(try Box(address)) }
        self.sockets = sockets
        descriptors = sockets.map { $0.socket.descriptor }
        self.addresses = sockets.map { $0.socket.address }
    }

    /// From now on whoever connects is refused, and another process may listen on the addresses. May be called again.
    func refuse() {
        for descriptor in descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
}
