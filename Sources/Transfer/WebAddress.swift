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
    /// Scheme, host and port: what a bearer token belongs to.
    package let origin: String
    /// The whole URL, query included.
    package let text: String

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
        let isUsual = port == (scheme == "https" ? 443 : 80)
        origin = scheme + "://" + Self.bracketed(host) + (isUsual ? "" : ":\(port)")
        text = Self.text(origin, path, query)
    }

    /// `other` with another path and query.
    private init(_ other: WebAddress, path: String, query: String?) {
        (scheme, host, port, origin) = (other.scheme, other.host, other.port, other.origin)
        self.path = path
        self.query = query
        text = Self.text(other.origin, path, query)
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

    /// `img.example.org:443`: how messages name a host.
    package var hostAndPort: String { "\(Self.bracketed(host)):\(port)" }

    /// Whether the host is this machine by its very name: 127/8, ::1 or localhost.
    package var isLoopback: Bool { NetworkClass(ofHost: host) == .loopback }

    private static func bracketed(_ host: String) -> String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host }

    private static func text(_ origin: String, _ path: String, _ query: String?) -> String {
        query.map { origin + path + "?" + $0 } ?? origin + path
    }

    /// This address with `path` added to its own, and without a query. Every character of `path` but the slash is data.
    ///
    /// - Parameter path: not percent-encoded, with or without a slash at its beginning; comes from strangers.
    /// - Throws: `badPath` for whatever could lead elsewhere: `..`, `//`, backslashes, control characters, another URL.
    package func appending(path: String) throws(TransferError) -> WebAddress {
        do throws(URLPath.Refusal) {
            return appending(try URLPath(path))
        } catch {
            throw TransferError(.badPath, address: description, detail: error.description)
        }
    }

    /// The same for a path that has been looked at before.
    package func appending(_ added: URLPath) -> WebAddress {
        let base = path.hasSuffix("/") ? String(path.dropLast()) : path
        return WebAddress(self, path: base + added.encoded, query: nil)
    }

    /// This address with `query` added to its own.
    package func appending(query pairs: [(String, String)]) -> WebAddress {
        guard !pairs.isEmpty else { return self }
        let added = pairs.map { PercentEncoding.encode($0, keeping: "") + "=" + PercentEncoding.encode($1, keeping: "") }
            .joined(separator: "&")
        return WebAddress(
            self, path: path, query: (query.map { $0.isEmpty ? "" : $0 + "&" } ?? "") + added)
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
