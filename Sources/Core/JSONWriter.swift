package import FoundationEssentials

/// A value that writes itself as JSON.
package protocol JSONWritable {
    func write(to json: inout JSONWriter)
}

/// Writes JSON as text straight away, for what is large: a manifest of ten thousand titles is written as they come, not built first.
///
/// Members stand in the order in which they are written; whoever writes them keeps the keys sorted, as ``JSONText`` does.
package struct JSONWriter: Sendable {
    /// How an object or array is laid out.
    package enum Layout {
        /// A line a member, indented by two spaces.
        case lines
        /// All on one line, whatever is in it.
        case oneLine
    }

    /// What has been written.
    package private(set) var bytes: [UInt8] = []
    private var depth: Int
    private var layout = Layout.lines
    private var isFirst = true

    /// - Parameters:
    ///   - depth: how deep the first value stands in what others write around it.
    ///   - beginning: what stands before it, as it is.
    package init(depth: Int = 0, after beginning: StaticString = "") {
        self.depth = depth
        // Room for one title with three sizes.
        bytes.reserveCapacity(6_000)
        append(beginning)
    }

    // MARK: - Values

    package mutating func object(_ layout: Layout = .lines, _ body: (inout JSONWriter) -> Void) {
        nest("{", "}", layout, body)
    }

    package mutating func array(_ layout: Layout = .lines, _ body: (inout JSONWriter) -> Void) {
        nest("[", "]", layout, body)
    }

    /// An array's next element, written by `body`.
    package mutating func element(_ body: (inout JSONWriter) -> Void) {
        separate()
        body(&self)
    }

    /// An object's next member, whose value is written by `body`.
    ///
    /// - Precondition: the key has nothing in it that JSON would escape.
    package mutating func member(_ key: StaticString, _ body: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        key.withUTF8Buffer { bytes.append(contentsOf: $0) }
        append("\": ")
        body(&self)
    }

    /// The same with a key that is not known beforehand.
    package mutating func member(named key: String, _ body: (inout JSONWriter) -> Void) {
        separate()
        string(key)
        append(": ")
        body(&self)
    }

    package mutating func member(_ key: StaticString, _ value: String?) {
        member(key) { json in if let value { json.string(value) } else { json.null() } }
    }

    package mutating func member(_ key: StaticString, _ value: Int?) {
        member(key) { json in if let value { json.number(value) } else { json.null() } }
    }

    package mutating func member(_ key: StaticString, _ value: Double?) {
        member(key) { json in if let value { json.number(value) } else { json.null() } }
    }

    package mutating func member(_ key: StaticString, _ value: Bool) {
        member(key) { $0.append(value ? "true" : "false") }
    }

    package mutating func member(_ key: StaticString, _ value: Date) {
        member(key) { $0.string(value.iso8601) }
    }

    package mutating func member(_ key: StaticString, _ values: [String]?) {
        member(key) { json in
            guard let values else { return json.null() }
            json.array(.oneLine) { json in for value in values { json.element { $0.string(value) } } }
        }
    }

    /// A value that encodes itself, on one line: slow, for what is rare or small.
    ///
    /// - Precondition: its numbers are finite, as JSON has no others.
    package mutating func member(_ key: StaticString, encoded value: (some Encodable)?) {
        member(key) { json in
            guard let value else { return json.null() }
            guard let text = try? JSONText.encode(value, pretty: false) else { preconditionFailure("what JSON cannot write") }
            json.bytes += text.dropLast()
        }
    }

    package mutating func null() { append("null") }

    package mutating func number(_ value: Int) { append(String(value)) }

    /// - Precondition: finite, as JSON has no other numbers.
    package mutating func number(_ value: Double) {
        precondition(value.isFinite, "JSON has no such number")
        if let whole = Int(exactly: value) { number(whole) } else { append(value.description) }
    }

    package mutating func string(_ value: String) {
        bytes.append(UInt8(ascii: "\""))
        var value = value
        value.withUTF8 { text in
            var start = 0
            for (index, byte) in text.enumerated() where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                bytes.append(contentsOf: text[start..<index])
                start = index + 1
                escape(byte)
            }
            bytes.append(contentsOf: text[start...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    // MARK: - Private

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\n"): append("\\n")
        case UInt8(ascii: "\r"): append("\\r")
        case UInt8(ascii: "\t"): append("\\t")
        case 0..<0x20:
            append(byte < 16 ? "\\u000" : "\\u00")
            append(String(byte, radix: 16))
        default: bytes += [UInt8(ascii: "\\"), byte]
        }
    }

    private mutating func nest(_ open: String, _ close: String, _ layout: Layout, _ body: (inout JSONWriter) -> Void) {
        let outer = self.layout
        append(open)
        if outer == .lines { self.layout = layout }
        depth += 1
        isFirst = true
        body(&self)
        depth -= 1
        // An empty one stays on its line.
        if self.layout == .lines, !isFirst { breakLine() }
        self.layout = outer
        isFirst = false
        append(close)
    }

    private mutating func separate() {
        if !isFirst { append(layout == .lines ? "," : ", ") }
        isFirst = false
        if layout == .lines { breakLine() }
    }

    private mutating func breakLine() {
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }
}
