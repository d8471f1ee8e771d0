internal import CCurl
internal import Core

/// Owns one URL handle of libcurl's.
struct URLParts: ~Copyable {
    private let handle: OpaquePointer

    /// - Throws: `badAddress` or `notAllowed`.
    init(_ text: String) throws(TransferError) {
        guard let handle = curl_url() else { fatalError("libcurl has no memory for a URL") }
        self.handle = handle
        try set(text)
    }

    deinit { curl_url_cleanup(handle) }

    /// Sets the whole URL; a relative one leads on from the present one.
    func set(_ text: String) throws(TransferError) {
        // A C string would end at the NUL, and something else than what was given would be looked at.
        guard !text.utf8.contains(0), text.utf8.count <= 8_000 else {
            throw TransferError(.badAddress, detail: "“\(Self.shown(text))” is not an address")
        }
        let result = curl_url_set(handle, CURLUPART_URL, text, UInt32(CURLU_DISALLOW_USER | CURLU_URLENCODE))
        switch result {
        case CURLUE_OK: return
        case CURLUE_USER_NOT_ALLOWED:
            // The text is not shown: it may hold a password.
            throw TransferError(.notAllowed, detail: "an address with a user name or password in it is not allowed")
        case CURLUE_UNSUPPORTED_SCHEME:
            throw TransferError(.notAllowed, detail: "“\(Self.shown(text))” is not an http or https address")
        case CURLUE_BAD_SCHEME, CURLUE_NO_SCHEME:
            throw TransferError(
                .badAddress, detail: "“\(Self.shown(text))” is not a whole address: it begins with neither https:// nor http://")
        default:
            let why = String(cString: curl_url_strerror(result))
            throw TransferError(.badAddress, detail: "“\(Self.shown(text))” is not an address: \(why)")
        }
    }

    /// A part of the URL, or nil if it has none.
    func get(_ part: CURLUPart, flags: Int32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    /// A stranger's text for a message: short, without a query, safe to print.
    static func shown(_ text: String) -> String {
        let start = text.prefix(120)
        let withoutQuery = start.prefix { $0 != "?" }
        return withoutQuery.printable + (withoutQuery.count < text.count ? "…" : "")
    }
}
