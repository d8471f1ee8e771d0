/// A path that comes from strangers, looked at and percent-encoded once, to be added to as many addresses as there are.
package struct URLPath: Sendable {
    package struct Refusal: Error, CustomStringConvertible {
        package let description: String

        package init(_ description: String) {
            self.description = description
        }
    }

    /// As it was given.
    package let text: String
    /// Begins with a slash.
    let encoded: String

    /// - Parameter text: not percent-encoded, with or without a slash at its beginning. Every character but the slash is data.
    /// - Throws: for whatever could lead elsewhere: `..`, `//`, backslashes, control characters, another URL.
    package init(_ text: String) throws(Refusal) {
        func refusal(_ why: String) -> Refusal { Refusal("the path “\(URLParts.shown(text))” \(why)") }
        if text.isEmpty || text == "/" { throw refusal("is empty") }
        if text.utf8.count > 2_000 { throw refusal("is longer than 2,000 bytes") }
        if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) { throw refusal("has control characters") }
        // Byte by byte, as the host will read it: to Swift a slash with a combining mark behind it is another character than a slash.
        let bytes = Array(text.utf8)
        let hasSlash = bytes[0] == UInt8(ascii: "/")
        if bytes.contains(UInt8(ascii: "\\")) { throw refusal("has a backslash") }
        let segments = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst(hasSlash ? 1 : 0)
        if segments.dropLast().contains(where: \.isEmpty) { throw refusal("has an empty part, or is an address of its own") }
        if segments.contains(where: { $0.elementsEqual("..".utf8) || $0.elementsEqual(".".utf8) }) {
            throw refusal("leads out of its folder")
        }
        // What is encoded would be data here, but some servers behind others decode once too often.
        let decoded = PercentEncoding.decode(text).split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        if decoded.contains(where: { $0.elementsEqual("..".utf8) || $0.elementsEqual(".".utf8) }) {
            throw refusal("leads out of its folder once it is decoded")
        }
        if !hasSlash, segments[0].contains(UInt8(ascii: ":")) { throw refusal("is an address of its own") }
        self.text = text
        encoded = (hasSlash ? "" : "/") + PercentEncoding.encode(text, keeping: "/")
    }
}
