internal import Glibc

/// Who is at the other end of a connection; a few bytes that are written as text only when somebody asks.
package struct ClientAddress: Sendable, Hashable {
    /// An IPv4 address is kept as the IPv6 address that stands for it; both zero for a socket file.
    private let high: UInt64
    private let low: UInt64

    /// Another process on this machine, through a socket file.
    package static let unix = ClientAddress(high: 0, low: 0)

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// - Parameter address: as the system gives it for an accepted connection.
    init(_ address: sockaddr_storage) {
        var address = address
        switch Int32(address.ss_family) {
        case AF_INET:
            let number = withUnsafeBytes(of: &address) { $0.load(as: sockaddr_in.self).sin_addr.s_addr }
            self.init(high: 0, low: Self.mapped | UInt64(UInt32(bigEndian: number)))
        case AF_INET6:
            let halves = withUnsafeBytes(of: &address) { bytes in
                let start = MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr)!
                return (
                    bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self),
                    bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt64.self)
                )
            }
            self.init(high: UInt64(bigEndian: halves.0), low: UInt64(bigEndian: halves.1))
        default: self = .unix
        }
    }

    /// - Parameter text: an IPv4 or IPv6 address and nothing else; an IPv6 address that stands for an IPv4 address is that.
    package init?(_ text: String) {
        var (address4, address6) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &address4) == 1 {
            self.init(high: 0, low: Self.mapped | UInt64(UInt32(bigEndian: address4.s_addr)))
        } else if inet_pton(AF_INET6, text, &address6) == 1 {
            let halves = withUnsafeBytes(of: &address6) { bytes in
                (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            }
            self.init(high: UInt64(bigEndian: halves.0), low: UInt64(bigEndian: halves.1))
        } else {
            return nil
        }
    }

    /// What one client can be expected to have: an IPv4 address, or the 64 bits that are one IPv6 customer's. Limits go by this.
    package var network: ClientAddress {
        isIPv4 || high == 0 ? self : ClientAddress(high: high, low: 0)
    }

    // MARK: - Private

    private static let mapped: UInt64 = 0xFFFF << 32
    private var isIPv4: Bool { high == 0 && low & ~0xFFFF_FFFF == Self.mapped }
}

extension ClientAddress: CustomStringConvertible {
    /// `192.0.2.1`, `2001:db8::1`, or `unix`.
    package var description: String {
        if self == .unix { return "unix" }
        if isIPv4 { return (0..<4).map { String((low >> (24 - 8 * $0)) & 0xFF) }.joined(separator: ".") }
        var address = in6_addr()
        withUnsafeMutableBytes(of: &address) {
            $0.storeBytes(of: high.bigEndian, as: UInt64.self)
            $0.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { text in
            inet_ntop(AF_INET6, &address, text.baseAddress!, socklen_t(INET6_ADDRSTRLEN)).map { String(cString: $0) } ?? ""
        }
    }
}
