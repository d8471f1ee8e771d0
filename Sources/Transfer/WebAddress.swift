internal import CCurl
internal import Core

/// An absolute http or https URL, parsed and normalised by libcurl's own parser, so that what is checked is what is connected to.
///
/// Its description leaves the query out, which may hold a key; ``text`` is the whole.
package struct WebAddress: Sendable, Hashable {
    /// `http` or `https`.
    package let scheme: String
    /// In lower case, in ASCII, an IPv6 address without its brackets.
    package let host: String
    package let port: Int
    /// Percent-encoded; begins with a slash.
    let path: String
    /// Percent-encoded, without the question mark; nil if there is none.
    let query: String?

    /// - Throws: `badAddress` if `text` is no URL, `notAllowed` if it is one that this program does not go to.
    package init(_ text: String) throws(TransferError) {
        let parts = try URLParts(text)
        try self.init(parts, given: text)
    }

    private init(scheme: String, host: String, port: Int, path: String, query: String?) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
        self.query = query
    }

    private init(_ parts: consuming URLParts, given text: String) throws(TransferError) {
        let scheme = (parts.get(CURLUPART_SCHEME) ?? "").lowercased()
        guard scheme == "https" || scheme == "http" else {
            throw TransferError(.notAllowed, detail: "“\(URLParts.shown(text))” is not an http or https address")
        }
        guard let host = parts.get(CURLUPART_HOST), !host.isEmpty,
            let port = parts.get(CURLUPART_PORT, flags: CURLU_DEFAULT_PORT).flatMap({ Int($0) }), port > 0
        else { throw TransferError(.badAddress, detail: "“\(URLParts.shown(text))” names no host and port") }
        // libcurl converts foreign letters by the process's locale, which is not to decide where a request goes.
        guard host.utf8.allSatisfy({ $0 < 128 && $0 != UInt8(ascii: "%") }) else {
            throw TransferError(.badAddress, detail: "“\(URLParts.shown(text))” has a host name beyond ASCII: write it in its xn-- form")
        }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        self.init(
            scheme: scheme, host: (isBracketed ? String(host.dropFirst().dropLast()) : host).lowercased(), port: port,
            path: parts.get(CURLUPART_PATH) ?? "/", query: parts.get(CURLUPART_QUERY))
    }

    /// The whole URL, query included.
    package var text: String {
        origin + path + (query.map { "?" + $0 } ?? "")
    }

    /// Scheme, host and port: what a bearer token belongs to.
    package var origin: String {
        scheme + "://" + (port == (scheme == "https" ? 443 : 80) ? bracketedHost : hostAndPort)
    }

    /// `img.example.org:443`: how messages name a host.
    package var hostAndPort: String { "\(bracketedHost):\(port)" }

    /// Whether the host is this machine by its very name: 127/8, ::1 or localhost.
    package var isLoopback: Bool { NetworkClass(ofHost: host) == .loopback }

    private var bracketedHost: String { host.contains(":") ? "[\(host)]" : host }

    /// This address with `path` added to its own, and without a query. Every character of `path` but the slash is data.
    ///
    /// - Parameter path: not percent-encoded, with or without a slash at its beginning; comes from strangers.
    /// - Throws: `badPath` for whatever could lead elsewhere: `..`, `//`, backslashes, control characters, another URL.
    package func appending(path: String) throws(TransferError) -> WebAddress {
        func refuse(_ why: String) -> TransferError {
            TransferError(.badPath, address: description, detail: "the path “\(URLParts.shown(path))” \(why)")
        }
        if path.isEmpty || path == "/" { throw refuse("is empty") }
        if path.utf8.count > 2_000 { throw refuse("is longer than 2,000 bytes") }
        if path.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) { throw refuse("has control characters") }
        // Byte by byte, as the host will read it: to Swift a slash with a combining mark behind it is another character than a slash.
        let bytes = Array(path.utf8)
        let hasSlash = bytes[0] == UInt8(ascii: "/")
        if bytes.contains(UInt8(ascii: "\\")) { throw refuse("has a backslash") }
        let segments = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst(hasSlash ? 1 : 0)
        if segments.dropLast().contains(where: \.isEmpty) { throw refuse("has an empty part, or is an address of its own") }
        if segments.contains(where: { $0.elementsEqual("..".utf8) || $0.elementsEqual(".".utf8) }) {
            throw refuse("leads out of its folder")
        }
        // What is encoded would be data here, but some servers behind others decode once too often.
        let decoded = PercentEncoding.decode(path).split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        if decoded.contains(where: { $0.elementsEqual("..".utf8) || $0.elementsEqual(".".utf8) }) {
            throw refuse("leads out of its folder once it is decoded")
        }
        if !hasSlash, segments[0].contains(UInt8(ascii: ":")) { throw refuse("is an address of its own") }
        let base = self.path.hasSuffix("/") ? String(self.path.dropLast()) : self.path
        let added = PercentEncoding.encode(path, keeping: "/")
        return WebAddress(
            scheme: scheme, host: host, port: port, path: base + (hasSlash ? "" : "/") + added, query: nil)
    }

    /// This address with `query` added to its own.
    package func appending(query pairs: [(String, String)]) -> WebAddress {
        guard !pairs.isEmpty else { return self }
        let added = pairs.map { PercentEncoding.encode($0, keeping: "") + "=" + PercentEncoding.encode($1, keeping: "") }
            .joined(separator: "&")
        return WebAddress(
            scheme: scheme, host: host, port: port, path: path, query: (query.map { $0.isEmpty ? "" : $0 + "&" } ?? "") + added)
    }

    /// Where a `Location` header leads from here.
    func following(location: String) throws(TransferError) -> WebAddress {
        let parts = try URLParts(text)
        try parts.set(location)
        return try WebAddress(parts, given: location)
    }
}

extension WebAddress: CustomStringConvertible {
    /// The URL without its query.
    package var description: String { origin + path }
}
