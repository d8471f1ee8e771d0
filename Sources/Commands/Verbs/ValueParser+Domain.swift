internal import Core
internal import Amodb
internal import Imaging
internal import Mirroring

extension ValueParser where Value == ListPath {
    /// A list of the API, by its path.
    static var list: ValueParser {
        let paths = ListPath.all.map(\.path)
        return ValueParser("LIST", completion: .values(paths), describe: \.path) { text in
            if let list = ListPath(text) { return list }
            if let nearest = Suggestion.nearest(to: text, among: paths) { throw ValueError("is not a list; did you mean \(nearest)?") }
            throw ValueError("is not a list; there are " + paths.joined(separator: ", "))
        }
    }
}

extension ValueParser where Value == PosterSize {
    /// A size of the image host.
    static var posterSize: ValueParser {
        let text = ValueParser<String>.size
        return ValueParser("SIZE", completion: text.completion, describe: \.token) { word in
            guard let size = PosterSize(try text.parse(word)) else { throw ValueError("is not a size") }
            return size
        }
    }
}

extension ValueParser where Value == Recipe {
    /// A recipe's text; `standard` for the one that is used when none is given.
    static var recipe: ValueParser {
        ValueParser("TEXT") { text in text == "standard" ? .standard : try Recipe(text) }
    }
}

extension ValueParser where Value == String {
    /// A language tag such as `de` or `pt-BR`; one that the API does not know is no error, as it answers in English.
    static var language: ValueParser {
        ValueParser("TAG", completion: .values(Language.all.map(\.tag))) { text in
            let parts = text.split(separator: "-", omittingEmptySubsequences: false)
            let isTag =
                (2...3).contains(parts[0].count) && parts.dropFirst().allSatisfy { (2...8).contains($0.count) }
                && text.utf8.allSatisfy {
                    $0 == UInt8(ascii: "-")
                        || ($0 < 128 && Character(Unicode.Scalar($0)).isLetter || Character(Unicode.Scalar($0)).isNumber)
                }
            guard isTag else { throw ValueError("is not a language tag such as en-US or de") }
            // One language has one spelling, as answers and runs are kept by it: `pt-BR`, `zh-Hant-TW`.
            let spelt = parts.enumerated().map { place, part in
                let lower = part.lowercased()
                if place == 0 || part.count > 4 || part.count == 3 { return lower }
                return part.count == 2 ? lower.uppercased() : lower.prefix(1).uppercased() + lower.dropFirst()
            }
            return spelt.joined(separator: "-")
        }
    }
}
