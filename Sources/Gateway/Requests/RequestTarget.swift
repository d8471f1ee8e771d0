/// A request's target, taken apart byte by byte from what came: nothing is guessed, and whatever is odd is refused.
///
/// Servers, proxies and caches that read one target differently are how requests slip past a rule. So there is one reading, and what could have
/// another (an encoded slash, a dot segment, a control character, bytes that are not UTF-8) has none.
struct RequestTarget: Sendable, Equatable {
    struct Item: Sendable, Equatable {
        let name: String
        let value: String
    }

    /// The longest target that is looked at.
    static let maximumBytes = 2_000
    private static let mostItems = 30

    /// The path's parts, decoded; none of them empty, `.` or `..`, or with a slash in it.
    let segments: [String]
    /// Whether the path ends with a slash, as a folder's does.
    let isFolder: Bool
    /// In the order given, decoded.
    let items: [Item]

    /// The path, decoded: what all targets have in common that mean the same.
    var path: String { segments.reduce("") { $0 + "/" + $1 } + (isFolder ? "/" : "") }

    /// - Parameter text: as it stood in the request line.
    init(_ text: String) throws(Problem) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumBytes else { throw Problem(414, "The address is longer than \(Self.maximumBytes) bytes.") }
        guard bytes.first == UInt8(ascii: "/") else { throw .malformed("its target does not begin with a slash") }
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "\\") }) else {
            throw .malformed("its target has characters that must be encoded")
        }
        let question = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        var parts = bytes[1..<question].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        isFolder = parts.last?.isEmpty ?? true
        if isFolder { _ = parts.popLast() }
        var segments: [String] = []
        for part in parts { segments.append(try Self.segment(part)) }
        self.segments = segments
        items = try Self.items(question == bytes.endIndex ? [] : bytes[(question + 1)...])
    }

    // MARK: - Private

    private static func segment(_ bytes: ArraySlice<UInt8>) throws(Problem) -> String {
        guard !bytes.isEmpty else { throw .malformed("its path has an empty part") }
        let text = try decode(bytes, plusIsSpace: false)
        guard text != ".", text != "..", !text.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }) else {
            throw .malformed("its path does not lead straight on")
        }
        return text
    }

    private static func items(_ bytes: ArraySlice<UInt8>) throws(Problem) -> [Item] {
        var items: [Item] = []
        for part in bytes.split(separator: UInt8(ascii: "&")) {
            guard items.count < mostItems else { throw .malformed("its query has more than \(mostItems) items") }
            let equals = part.firstIndex(of: UInt8(ascii: "="))
            let name = try decode(part[..<(equals ?? part.endIndex)], plusIsSpace: true)
            let value = try equals.map { equals throws(Problem) in try decode(part[(equals + 1)...], plusIsSpace: true) } ?? ""
            guard !name.isEmpty else { throw .malformed("its query has an item without a name") }
            items.append(Item(name: name, value: value))
        }
        return items
    }

    private static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) throws(Problem) -> String {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "%"):
                guard index + 2 < bytes.endIndex, let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2]) else {
                    throw .malformed("a % in its target is not followed by two hexadecimal digits")
                }
                decoded.append(high << 4 | low)
                index += 3
            case UInt8(ascii: "+") where plusIsSpace:
                decoded.append(UInt8(ascii: " "))
                index += 1
            case let byte:
                decoded.append(byte)
                index += 1
            }
        }
        guard let text = String(validating: decoded, as: UTF8.self) else { throw .malformed("its target is not UTF-8") }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw .malformed("its target has control characters")
        }
        return text
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
