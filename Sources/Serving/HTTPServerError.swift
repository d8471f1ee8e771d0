/// Why a server cannot start.
package struct HTTPServerError: Error, Sendable, CustomStringConvertible {
    package enum Code: Sendable {
        /// Not an IPv4 or IPv6 address.
        case badAddress
        /// Another program listens there.
        case portInUse
        /// The system refused: no permission, no such address, out of descriptors.
        case system
    }

    package let code: Code
    package let description: String
}
