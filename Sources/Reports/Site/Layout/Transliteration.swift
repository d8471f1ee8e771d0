/// Writes text in ASCII letters, for file names that have to pass through old tools. What has no ASCII form is left out.
enum Transliteration {
    static func ascii(_ text: String) -> String {
        var ascii = ""
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                ascii.unicodeScalars.append(scalar)
            } else if let letters = special[scalar.properties.lowercaseMapping] {
                ascii += letters
            } else if scalar.properties.isAlphabetic {
                ascii += named(scalar)
            } else if scalar.properties.isWhitespace || scalar.properties.generalCategory == .dashPunctuation {
                ascii += "-"
            } else if let digit = scalar.properties.numericType == .decimal ? scalar.properties.numericValue : nil {
                ascii += String(Int(digit))
            }
        }
        return ascii
    }

    // MARK: - Private

    /// Unicode names a Latin letter by what it is without its marks, and a syllable of Hangul or kana by its sound.
    private static func named(_ scalar: Unicode.Scalar) -> String {
        guard let name = scalar.properties.name else { return "" }
        let words = name.split(separator: " ").map(String.init)
        switch words.first {
        case "LATIN", "FULLWIDTH":
            guard let letter = words.firstIndex(of: "LETTER") else { return "" }
            let base = words[(letter + 1)...].prefix { $0 != "WITH" }
            let text = base.last ?? ""
            return text.count <= 2 && base.count <= 2 ? cased(text, isUpper: words.contains("CAPITAL")) : ""
        case "HANGUL" where words.count == 3 && words[1] == "SYLLABLE": return words[2].lowercased()
        case "HIRAGANA", "KATAKANA": return words.count >= 3 && words[1] == "LETTER" ? (words.last ?? "").lowercased() : ""
        default: return ""
        }
    }

    private static func cased(_ text: String, isUpper: Bool) -> String { isUpper ? text.uppercased() : text.lowercased() }

    /// Lower-case letters whose names do not say it: after common English usage for Cyrillic and Greek.
    private static let special: [String: String] = [
        "ß": "ss", "þ": "th", "ð": "d", "ø": "o", "æ": "ae", "œ": "oe", "đ": "d", "ł": "l", "ı": "i", "ŋ": "ng",
        "а": "a", "б": "b", "в": "v", "г": "g", "ґ": "g", "д": "d", "е": "e", "ё": "yo", "є": "ye", "ж": "zh", "з": "z", "и": "i", "і": "i",
        "ї": "yi", "й": "y", "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t", "у": "u", "ў": "u",
        "ф": "f", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "", "ы": "y", "ь": "", "э": "e", "ю": "yu", "я": "ya",
        "α": "a", "ά": "a", "β": "v", "γ": "g", "δ": "d", "ε": "e", "έ": "e", "ζ": "z", "η": "i", "ή": "i", "θ": "th", "ι": "i", "ί": "i",
        "ϊ": "i", "ΐ": "i", "κ": "k", "λ": "l", "μ": "m", "ν": "n", "ξ": "x", "ο": "o", "ό": "o", "π": "p", "ρ": "r", "σ": "s", "ς": "s",
        "τ": "t", "υ": "y", "ύ": "y", "ϋ": "y", "ΰ": "y", "φ": "f", "χ": "ch", "ψ": "ps", "ω": "o", "ώ": "o",
    ]
}
