internal import Glibc
internal import Serving

/// Whom a limit is counted for when there is no token: an address, or the network that one customer has.
enum ClientKey: Sendable, Hashable, CustomStringConvertible {
    case connected(ClientAddress)
    /// As the proxy in front tells it.
    case forwarded(String)

    /// - Parameter isBehindProxy: whether the connection comes from a proxy that adds the client's address to `X-Forwarded-For`.
    init(of request: ServerRequest, isBehindProxy: Bool) {
        // Only the last one was written by the proxy; those before it may say anything.
        if isBehindProxy, let last = request.header("X-Forwarded-For")?.split(separator: ",").last,
            let address = Self.address(String(last.drop { $0 == " " }.prefix { $0 != " " }))
        {
            self = .forwarded(address)
        } else {
            self = .connected(request.client)
        }
    }

    /// The same for all addresses of one IPv6 customer.
    var network: ClientKey {
        switch self {
        case .connected(let address): .connected(address.network)
        case .forwarded(let text):
            text.utf8.contains(UInt8(ascii: ":")) ? .forwarded(Self.firstHalf(of: text)) : self
        }
    }

    var description: String {
        switch self {
        case .connected(let address): address.description
        case .forwarded(let text): text
        }
    }

    // MARK: - Private

    /// The text, if it is an address and nothing else.
    private static func address(_ text: String) -> String? {
        var bytes = in6_addr()
        guard text.utf8.count <= Int(INET6_ADDRSTRLEN) else { return nil }
        return inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1 ? text : nil
    }

    private static func firstHalf(of text: String) -> String {
        var bytes = in6_addr()
        guard inet_pton(AF_INET6, text, &bytes) == 1 else { return text }
        return withUnsafeBytes(of: &bytes) { $0.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") }
    }
}
