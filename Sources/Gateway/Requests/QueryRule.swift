/// What a query item's value may be, and which of several ways to write it is the one that is asked upstream.
enum QueryRule: Sendable, Equatable {
    /// A whole number, `standard` meaning the same as none.
    case number(ClosedRange<Int>, standard: Int?)
    /// A language tag such as `de` or `pt-BR`, `standard` meaning the same as none.
    case language(standard: String)
    /// A country's two letters.
    case country
    /// Words with commas between, whose order does not matter.
    case words
    /// `true` or `false`, which means the same as none.
    case flag
    /// What a person types: up to 200 bytes.
    case text

    /// What becomes of a value.
    enum Reading: Equatable {
        case keep(String)
        /// Says nothing that the API would not assume by itself.
        case drop
        /// Not a value of this kind.
        case refuse
    }

    private static let longestText = 200
    private static let mostWords = 20

    /// The items that the API documents, by name.
    static let known: [String: QueryRule] = [
        "language": .language(standard: "en-US"),
        "page": .number(1...500, standard: 1),
        "query": .text,
        "append_to_response": .words,
        "include_image_language": .words,
        "include_video_language": .words,
        "include_adult": .flag,
        "region": .country,
        "year": .number(1...9_999, standard: nil),
        "primary_release_year": .number(1...9_999, standard: nil),
        "first_air_date_year": .number(1...9_999, standard: nil),
    ]

    func read(_ value: String) -> Reading {
        guard !value.isEmpty else { return .drop }
        switch self {
        case .number(let range, let standard):
            guard value.utf8.count <= 9, value.utf8.allSatisfy(Self.isDigit), let number = Int(value), range.contains(number) else {
                return .refuse
            }
            return number == standard ? .drop : .keep(String(number))
        case .language(let standard):
            guard let tag = Self.tag(value) else { return .refuse }
            return tag == standard ? .drop : .keep(tag)
        case .country:
            return value.utf8.count == 2 && value.utf8.allSatisfy(Self.isLetterOrDigit) ? .keep(value.uppercased()) : .refuse
        case .words:
            guard value.utf8.count <= Self.longestText, value.utf8.allSatisfy({ Self.isWord($0) || $0 == UInt8(ascii: ",") }) else {
                return .refuse
            }
            let words = Set(value.split(separator: ","))
            guard words.count <= Self.mostWords else { return .refuse }
            return words.isEmpty ? .drop : .keep(words.sorted().joined(separator: ","))
        case .flag:
            return value == "true" ? .keep(value) : value == "false" ? .drop : .refuse
        case .text:
            return value.utf8.count <= Self.longestText ? .keep(value) : .refuse
        }
    }

    // MARK: - Private

    /// The tag as it is usually written: `pt-BR`, `zh-Hant`.
    private static func tag(_ text: String) -> String? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count <= 3, parts.allSatisfy({ (2...8).contains($0.utf8.count) && $0.utf8.allSatisfy(isLetterOrDigit) }) else {
            return nil
        }
        return parts.enumerated().map { place, part in
            switch part.count {
            case _ where place == 0: part.lowercased()
            case 2: part.uppercased()
            case 4: part.prefix(1).uppercased() + part.dropFirst().lowercased()
            default: part.lowercased()
            }
        }.joined(separator: "-")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "/")
    }
}
