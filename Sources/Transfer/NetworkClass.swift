internal import Glibc

/// What kind of network an IP address belongs to.
///
/// A redirect may lead from anywhere to a public address; to any other only from an address of the same kind. Else a stranger's host
/// could make this machine ask its own services, its neighbours, or the cloud's metadata service, on its behalf.
enum NetworkClass: Sendable, Equatable {
    case everywhere
    /// Inside a site: 10/8, 172.16/12, 192.168/16, 100.64/10, fc00::/7.
    case site
    case loopback
    /// Not to be reached by any redirect: link-local (where metadata services live), multicast, unspecified, reserved.
    case special

    /// The class of an address in network byte order: 4 or 16 bytes.
    init(ofAddress bytes: [UInt8]) {
        if bytes.count == 4 {
            self = Self.classOfVersion4(bytes)
            return
        }
        guard bytes.count == 16 else {
            self = .special
            return
        }
        let firstTwelve = Array(bytes[..<12])
        if bytes == Array(repeating: 0, count: 15) + [1] {
            self = .loopback
        } else if firstTwelve == Array(repeating: 0, count: 10) + [0xFF, 0xFF]
            || firstTwelve == [0, 0x64, 0xFF, 0x9B] + Array(repeating: 0, count: 8)
            || firstTwelve == Array(repeating: 0, count: 12)
        {
            // IPv4 in IPv6's clothes: mapped, translated (64:ff9b::/96), compatible.
            self = Self.classOfVersion4(Array(bytes[12...]))
        } else if bytes[0] == 0x20, bytes[1] == 0x02 {
            self = Self.classOfVersion4(Array(bytes[2..<6]))
        } else if bytes[0] & 0xFE == 0xFC {
            self = .site
        } else if bytes[0] & 0xE0 == 0x20 {
            // 2000::/3 is all that is assigned as global unicast.
            self = .everywhere
        } else {
            self = .special
        }
    }

    /// The class that a host's name tells by itself: of an address in digits, or of localhost; nil for any other name.
    init?(ofHost host: String) {
        if host == "localhost" || host.hasSuffix(".localhost") {
            self = .loopback
            return
        }
        var version4 = in_addr()
        var version6 = in6_addr()
        // A zone ("fe80::1%eth0") says nothing about the class.
        let digits = String(host.prefix { $0 != "%" })
        if inet_pton(AF_INET, digits, &version4) == 1 {
            self.init(ofAddress: withUnsafeBytes(of: version4) { Array($0) })
        } else if inet_pton(AF_INET6, digits, &version6) == 1 {
            self.init(ofAddress: withUnsafeBytes(of: version6) { Array($0) })
        } else {
            return nil
        }
    }

    /// The class of a socket address.
    init(of address: UnsafePointer<sockaddr>) {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            let address = raw.loadUnaligned(as: sockaddr_in.self).sin_addr
            self.init(ofAddress: withUnsafeBytes(of: address) { Array($0) })
        case AF_INET6:
            let address = raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            self.init(ofAddress: withUnsafeBytes(of: address) { Array($0) })
        default:
            self = .special
        }
    }

    /// Whether a redirect from an address of class `origin` may lead to one of this class.
    func isReachable(from origin: NetworkClass) -> Bool {
        switch self {
        case .everywhere: true
        case .site, .loopback: self == origin
        case .special: false
        }
    }

    private static func classOfVersion4(_ bytes: [UInt8]) -> NetworkClass {
        switch (bytes[0], bytes[1]) {
        case (127, _): .loopback
        case (10, _), (172, 16...31), (192, 168), (100, 64...127): .site
        case (0, _), (169, 254), (224..., _), (198, 18...19): .special
        case (192, 0) where bytes[2] == 0 || bytes[2] == 2: .special
        case (198, 51) where bytes[2] == 100, (203, 0) where bytes[2] == 113: .special
        default: .everywhere
        }
    }
}
