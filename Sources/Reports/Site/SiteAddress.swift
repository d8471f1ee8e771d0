internal import Core

/// Where a site will be reached: an absolute http or https address that ends in a slash, so that paths can be put behind it.
package struct SiteAddress: Sendable, Hashable {
    /// `https://films.example/weekly/`.
    package let text: String
    /// `films.example`, without a port.
    package let host: String

    package init(_ text: String) throws(SiteError) {
        let refusal = SiteError.badOption(
            "\"\(text.printable)\" is not an address such as https://films.example/weekly/, without ? and #"
                + (text.utf8.allSatisfy { $0 < 0x80 }
                    ? "" : "; beyond ASCII, a host is written as punycode (xn--…) and a path percent-encoded"))
        guard let scheme = ["https://", "http://"].first(where: { text.lowercased().hasPrefix($0) }) else { throw refusal }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" }
        let host = authority.prefix { $0 != ":" }.lowercased()
        let port = authority.dropFirst(host.utf8.count)
        guard !host.isEmpty, host.utf8.allSatisfy(Self.isHostByte), port.isEmpty || UInt16(port.dropFirst()) != nil,
            rest.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"?#\"<>\\^`{|}@".utf8.contains($0) })
        else { throw refusal }
        let path = rest.dropFirst(authority.count)
        self.host = host
        self.text = scheme + host + port + path + (path.hasSuffix("/") ? "" : "/")
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }
}
