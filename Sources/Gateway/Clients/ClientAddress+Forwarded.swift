internal import Serving

extension ClientAddress {
    private static let header = "X-Forwarded-For"

    /// Who has sent a request.
    ///
    /// - Parameter isBehindProxy: whether the connection comes from a proxy that adds the client's address to `X-Forwarded-For`.
    init(of request: ServerRequest, isBehindProxy: Bool) {
        // Only the last entry of the last line was written by the proxy; those before it may say anything.
        let last = isBehindProxy ? request.lastHeader(Self.header)?.split(separator: ",").last : nil
        self = last.flatMap { ClientAddress(forwarded: $0) } ?? request.client
    }

    /// - Parameter text: an address as proxies write it: `192.0.2.1`, `192.0.2.1:4444`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:443`.
    private init?(forwarded text: Substring) {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        var text = text.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]"), Self.isPort(text[text.index(after: end)...]) else { return nil }
            self.init(String(text[text.index(after: text.startIndex)..<end]))
        } else if let colon = text.firstIndex(of: ":"), colon == text.lastIndex(of: ":") {
            guard Self.isPort(text[colon...]) else { return nil }
            self.init(String(text[..<colon]))
        } else {
            self.init(String(text))
        }
    }

    /// Whether it is nothing, or a colon and a port.
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || text.first == ":" && UInt16(text.dropFirst()) != nil
    }
}
