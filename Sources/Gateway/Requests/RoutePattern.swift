internal import Core

/// A path of the API that clients may ask, and the query items that go with it: `movie/{id}?append_to_response`.
///
/// `{id}` stands for a number, `{word}` for letters, digits, `-` and `_`. `language` goes with every path. An item that the API's documents do
/// not name is passed on as text. A path with `page` is a list, and kept for as long as lists are; any other is a detail.
package struct RoutePattern: Sendable, Equatable {
    enum Part: Sendable, Equatable {
        case literal(String)
        case number
        case word
    }

    private static let longestWord = 64
    private static let longestNumber = 10

    let parts: [Part]
    let rules: [String: QueryRule]

    var isList: Bool { rules["page"] != nil }

    /// - Throws: ``RoutePatternError``
    package init(_ text: String) throws(RoutePatternError) {
        let halves = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var path = halves[0]
        for prefix in ["/3/", "/"] where path.hasPrefix(prefix) {
            path = path.dropFirst(prefix.count)
            break
        }
        var parts: [Part] = []
        for word in path.split(separator: "/", omittingEmptySubsequences: false) {
            switch word {
            case "{id}": parts.append(.number)
            case "{word}": parts.append(.word)
            default:
                guard !word.isEmpty, word.utf8.allSatisfy(Self.isOfWord) else {
                    throw RoutePatternError("has a part “\(word.printable)” that is neither a plain word, {id} nor {word}")
                }
                parts.append(.literal(String(word)))
            }
        }
        var rules: [String: QueryRule] = ["language": QueryRule.known["language"]!]
        for name in halves.count > 1 ? halves[1].split(separator: "&") : [] {
            guard name.utf8.count <= Self.longestWord, name.utf8.allSatisfy({ Self.isOfWord($0) || $0 == UInt8(ascii: ".") }) else {
                throw RoutePatternError("has a query item “\(name.printable)” that is not a plain name")
            }
            guard name != "api_key" else { throw RoutePatternError("has api_key among its query items, which is never passed on") }
            rules[String(name)] = QueryRule.known[String(name)] ?? .text
        }
        self.parts = parts
        self.rules = rules
    }

    /// Whether a path of the API fits.
    func matches(_ segments: some Collection<String>) -> Bool {
        guard segments.count == parts.count else { return false }
        return zip(parts, segments).allSatisfy { part, segment in
            switch part {
            case .literal(let word): word == segment
            case .number:
                segment.utf8.count <= Self.longestNumber && segment.utf8.allSatisfy({ (48...57).contains($0) }) && segment.utf8.first != 48
            case .word: segment.utf8.count <= Self.longestWord && segment.utf8.allSatisfy(Self.isOfWord)
            }
        }
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// Why a text is no pattern; continues a sentence that names it.
package struct RoutePatternError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
