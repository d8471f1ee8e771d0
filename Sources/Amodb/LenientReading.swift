internal import Core

// What the readers of the API's answers share: fields may be missing or of a wrong type, and texts come from strangers.

extension KeyedDecodingContainer {
    /// The value, or nil when it is missing, null or of another type.
    func lenient<Value: Decodable>(_ type: Value.Type, _ key: Key) -> Value? {
        (try? decodeIfPresent(type, forKey: key)) ?? nil
    }

    /// A number, also one that is written as a text; nil when it is neither, or not finite.
    func lenientNumber(_ key: Key) -> Double? {
        let number = lenient(Double.self, key) ?? lenient(String.self, key).flatMap(Double.init)
        return number.flatMap { $0.isFinite ? $0 : nil }
    }
}

extension String {
    var nonEmpty: String? { isEmpty ? nil : self }

    /// Longer titles than this are cut: the longest of real ones has some 200 characters.
    private static let longest = 500

    /// This text without what no title or name needs: control characters, bidirectional overrides and byte order marks, which could forge a
    /// line elsewhere or hide in it.
    var cleaned: String {
        // Most texts are clean: printable ASCII without a space too many.
        var (isClean, last): (Bool, UInt8) = (utf8.count <= Self.longest, UInt8(ascii: " "))
        for byte in utf8 {
            if !(0x20...0x7E).contains(byte) || (byte == UInt8(ascii: " ") && last == byte) { isClean = false }
            last = byte
        }
        if isClean, last != UInt8(ascii: " ") { return self }
        var kept = ""
        for scalar in unicodeScalars.prefix(Self.longest * 4) {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: kept.unicodeScalars.append(" ")
            case .format where scalar.isUnseenControl: continue
            case .privateUse, .unassigned: continue
            default: kept.unicodeScalars.append(scalar)
            }
        }
        let text = kept.split(separator: " ").joined(separator: " ")
        guard text.unicodeScalars.contains(where: \.isSeen) else { return "" }
        return text.cut(toScalars: Self.longest)
    }

    /// The beginning of at most `count` code points, in whole characters as far as they fit.
    private func cut(toScalars count: Int) -> String {
        guard let end = unicodeScalars.index(startIndex, offsetBy: count, limitedBy: endIndex), end < endIndex else { return self }
        let whole = self[..<end]
        // A character of many code points may be cut; the one at the end is left out when it is.
        let last = index(before: whole.endIndex)
        return String(last > startIndex ? whole[..<last] : whole)
    }
}

extension Unicode.Scalar {
    /// Whether it shows: a name of blanks and joiners alone is none.
    fileprivate var isSeen: Bool {
        switch properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .nonspacingMark, .enclosingMark: false
        default: true
        }
    }

    fileprivate var isUnseenControl: Bool {
        (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value) || value == 0xFEFF
    }
}

extension AmodbError {
    /// What is wrong with an answer, in words that help somebody who has only the log.
    static func fault(_ error: any Error, in body: [UInt8]) -> String {
        guard let first = body.first(where: { $0 > UInt8(ascii: " ") }) else { return "it is empty" }
        if first == UInt8(ascii: "<") { return "it is HTML or XML, not JSON" }
        switch error as? DecodingError {
        case .keyNotFound(let key, _): return "`\(key.stringValue.printable)` is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return path.isEmpty ? "it is not a JSON object" : "`\(path.printable)` has the wrong type"
        default: return "it is broken or cut-off JSON"
        }
    }
}
