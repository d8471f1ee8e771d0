/// A document of HTML or XML in the making. Everything that goes in is escaped, so a title cannot break the page that shows it.
///
/// Element and attribute names are `StaticString`s: they can only come from this program's own text.
struct Markup: Sendable {
    enum Dialect: Sendable {
        case html, xml
    }

    struct Attribute {
        let name: StaticString
        /// Nil for an attribute without a value.
        let value: String?

        init(_ name: StaticString, _ value: String?) {
            self.name = name
            self.value = value
        }

        init(_ name: StaticString, _ value: Int) {
            self.init(name, String(value))
        }
    }

    private let dialect: Dialect
    /// The document so far, as UTF-8.
    private(set) var bytes: [UInt8] = []

    /// A whole document.
    init(_ dialect: Dialect) {
        self.dialect = dialect
        bytes += (dialect == .html ? "<!doctype html>\n" : "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n").utf8
    }

    /// A piece of HTML that goes into something else.
    static func htmlFragment(_ content: (inout Markup) -> Void) -> String {
        var markup = Markup(.html)
        markup.bytes.removeAll()
        content(&markup)
        return String(decoding: markup.bytes, as: UTF8.self)
    }

    // MARK: - Elements

    /// An element and what `content` puts into it. Absent attributes are left out.
    mutating func element(_ name: StaticString, _ attributes: [Attribute?] = [], _ content: (inout Markup) -> Void) {
        open(name, attributes, ">")
        content(&self)
        bytes += "</".utf8
        append(name)
        bytes.append(UInt8(ascii: ">"))
    }

    mutating func element(_ name: StaticString, _ attributes: [Attribute?] = [], text: String) {
        element(name, attributes) { $0.text(text) }
    }

    /// An element that never has content: `<img …>` in HTML, `<link …/>` in XML.
    mutating func void(_ name: StaticString, _ attributes: [Attribute?] = []) {
        open(name, attributes, dialect == .html ? ">" : "/>")
    }

    /// An element on lines of its own, with each of its children on a line when they ask for it too.
    mutating func block(_ name: StaticString, _ attributes: [Attribute?] = [], _ content: (inout Markup) -> Void) {
        open(name, attributes, ">\n")
        content(&self)
        bytes += "</".utf8
        append(name)
        bytes += ">\n".utf8
    }

    mutating func line(_ name: StaticString, _ attributes: [Attribute?] = [], text: String) {
        element(name, attributes, text: text)
        newline()
    }

    mutating func newline() {
        bytes.append(UInt8(ascii: "\n"))
    }

    mutating func text(_ text: String) {
        appendEscaped(text)
    }

    // MARK: - Private

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
        default: (0x20..<0x7F).contains(byte)
        }
    }

    private mutating func open(_ name: StaticString, _ attributes: [Attribute?], _ end: StaticString) {
        bytes.append(UInt8(ascii: "<"))
        append(name)
        for case .some(let attribute) in attributes {
            bytes.append(UInt8(ascii: " "))
            append(attribute.name)
            guard let value = attribute.value else { continue }
            bytes += "=\"".utf8
            appendEscaped(value)
            bytes.append(UInt8(ascii: "\""))
        }
        append(end)
    }

    private mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func appendEscaped(_ text: String) {
        // Almost all that is written, addresses above all, is plain ASCII and needs no look at each character.
        guard !text.utf8.allSatisfy(Self.isPlain) else {
            bytes += text.utf8
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": bytes += "&amp;".utf8
            case "<": bytes += "&lt;".utf8
            case ">": bytes += "&gt;".utf8
            case "\"": bytes += "&quot;".utf8
            case "'": bytes += "&#39;".utf8
            default:
                if scalar.isASCII {
                    // Characters that XML 1.0 has no way to write, and HTML calls an error.
                    if scalar.value >= 0x20 || scalar == "\n" || scalar == "\t" { bytes.append(UInt8(scalar.value)) }
                } else if !scalar.isUnfitForMarkup {
                    bytes += String(scalar).utf8
                }
            }
        }
    }
}

extension Unicode.Scalar {
    /// Whether XML or HTML forbids the character: C1 controls and noncharacters.
    fileprivate var isUnfitForMarkup: Bool {
        (0x7F...0x9F).contains(value) || (0xFDD0...0xFDEF).contains(value) || value & 0xFFFE == 0xFFFE
    }
}
