/// Why a server cannot start.
package struct HTTPServerError: Error, Sendable, CustomStringConvertible {
    package enum Code: Sendable {
        /// Not an IPv4 or IPv6 address with a port, nor the path of a socket.
        case badAddress
        /// Another program listens there.
        case portInUse
        /// There is a file of another kind where the socket would go.
        case fileInTheWay
        /// The system refused: no permission, no such address, out of descriptors.
        case system
    }

    package let code: Code
    package let description: String
}
