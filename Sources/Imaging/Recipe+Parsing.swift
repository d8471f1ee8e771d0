internal import Core

/// Why a text is no recipe: one sentence that names the wrong word and says what would be right.
package struct RecipeError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(_ text: String, _ problem: String) {
        description = "recipe “\(text.printable)”: \(problem)"
    }
}

extension Recipe {
    private static let keys = ["radius", "background", "q", "effort"]
    private static let flags = Fit.allCases.map(\.rawValue) + ["jpeg", "png", "webp", "avif", "enlarge"]

    /// The recipe written as `text`, its words in any order.
    package init(_ text: String) throws(RecipeError) {
        var parser = RecipeParser(text: text)
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            try parser.take(Substring(word.trimmed))
        }
        self = try parser.finish()
    }

    fileprivate static func suggestion(for word: Substring) -> String {
        let name = String(word.prefix { $0 != "=" })
        guard let nearest = Suggestion.nearest(to: name, among: flags + keys) else { return "" }
        return "; did you mean “\(nearest)\(keys.contains(nearest) ? "=…" : "")”?"
    }
}

/// Collects a recipe's words, each kind at most once.
private struct RecipeParser {
    let text: String
    private var fit: Recipe.Fit?
    private var dimensions: (width: Int?, height: Int?)?
    private var radius: Recipe.Radius?
    private var background: Recipe.RGB?
    private var enlarge: Bool?
    private var format: ImageFormat?
    private var quality: Int?
    private var effort: Int?

    init(text: String) {
        self.text = text
    }

    mutating func take(_ word: Substring) throws(RecipeError) {
        if word.isEmpty { throw error("a word is missing; words are separated by single commas, as in “cover,185x278,radius=10%,webp”") }
        if let equals = word.firstIndex(of: "=") {
            let value = word[word.index(after: equals)...]
            switch word[..<equals] {
            case "radius": try set(&radius, try radius(value), word)
            case "background": try set(&background, try colour(value), word)
            case "q": try set(&quality, try quality(value), word)
            case "effort": try set(&effort, try effort(value), word)
            default: throw unknown(word)
            }
        } else if let fit = Recipe.Fit(rawValue: String(word)) {
            try set(&self.fit, fit, word)
        } else if word == "enlarge" {
            try set(&enlarge, true, word)
        } else if word == "gif" {
            throw error("GIF is read but not written; a recipe's format is webp, jpeg, png or avif")
        } else if let format = ImageFormat(rawValue: word == "jpg" ? "jpeg" : String(word)) {
            try set(&self.format, format, word)
        } else if word.first?.isASCIIDigit == true || (word.first == "x" && word.dropFirst().first?.isASCIIDigit == true) {
            try set(&dimensions, try dimensions(word), word)
        } else {
            throw unknown(word)
        }
    }

    func finish() throws(RecipeError) -> Recipe {
        let fit = fit ?? .cover
        let format = format ?? .webp
        let radius = radius ?? Recipe.noRadius
        var background = background
        if let dimensions, dimensions.width == nil || dimensions.height == nil, fit == .contain {
            throw error("“contain” needs both width and height, as in “contain,185x278”; “inside” does with one of them")
        }
        if let width = dimensions?.width, let height = dimensions?.height, width * height > Recipe.maximumPixels {
            throw error(
                "“\(width)x\(height)” is more than the \(Recipe.maximumPixels / 1_000_000) million pixels that a recipe may make")
        }
        if format == .png, quality != nil { throw error("“q=” has no meaning for PNG, which loses nothing; leave it out") }
        if let effort {
            guard let efforts = format.efforts else { throw error("“effort=” has no meaning for \(format.name); leave it out") }
            guard efforts.contains(effort) else {
                throw error("“effort=\(effort)”: \(format.name)'s effort is \(efforts.lowerBound) to \(efforts.upperBound)")
            }
        }
        if format == .jpeg, background == nil {
            if radius != Recipe.noRadius { throw error("JPEG cannot be transparent, so rounded corners need a “background=#rrggbb”") }
            if fit == .contain { throw error("JPEG cannot be transparent, so “contain” needs a “background=#rrggbb” for its bars") }
            background = .white
        }
        return Recipe(
            fit: fit, width: dimensions?.width, height: dimensions?.height, radius: radius, background: background,
            enlarge: enlarge ?? false, format: format, quality: quality ?? format.defaultQuality,
            effort: effort ?? format.defaultEffort)
    }

    // MARK: - Words

    private func error(_ problem: String) -> RecipeError { RecipeError(text, problem) }

    private func unknown(_ word: Substring) -> RecipeError {
        let suggestion = Recipe.suggestion(for: word)
        return error(
            suggestion.isEmpty
                ? "“\(word.printable)” is no word of a recipe; there are cover, contain, inside, WIDTHxHEIGHT, radius=, background=, enlarge, "
                    + "webp, jpeg, png, avif, q= and effort="
                : "“\(word.printable)” is no word of a recipe\(suggestion)")
    }

    private func set<Value>(_ slot: inout Value?, _ value: Value, _ word: Substring) throws(RecipeError) {
        if slot != nil { throw error("“\(word.printable)” says again, or otherwise, what a word before it has said") }
        slot = value
    }

    private func dimensions(_ word: Substring) throws(RecipeError) -> (width: Int?, height: Int?) {
        let parts = word.split(separator: "x", omittingEmptySubsequences: false)
        func side(_ digits: Substring) throws(RecipeError) -> Int? {
            if digits.isEmpty { return nil }
            guard digits.allSatisfy(\.isASCIIDigit), let number = Int(digits), (1...Recipe.maximumSide).contains(number) else {
                throw error("“\(word.printable)”: each side is a whole number of pixels from 1 to \(Recipe.maximumSide), as in “185x278”")
            }
            return number
        }
        guard parts.count == 2, !(parts[0].isEmpty && parts[1].isEmpty) else {
            throw error("“\(word.printable)” is no size; write WIDTHxHEIGHT, or one of both as “185x” or “x278”")
        }
        return (try side(parts[0]), try side(parts[1]))
    }

    private func radius(_ value: Substring) throws(RecipeError) -> Recipe.Radius {
        let isPercent = value.hasSuffix("%")
        let number = isPercent ? value.dropLast() : value.hasSuffix("px") ? value.dropLast(2) : value
        guard let thousandths = Self.thousandths(number), isPercent ? thousandths <= 50_000 : thousandths <= Recipe.maximumSide * 1000
        else {
            throw error(
                "“radius=\(value.printable)”: a radius is pixels (18.5) or at most 50 percent of the width (10%), up to three decimals")
        }
        return isPercent && thousandths > 0 ? .milliPercent(thousandths) : .milliPixels(thousandths)
    }

    private static func thousandths(_ number: Substring) -> Int? {
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = parts.first, (1...5).contains(whole.count), whole.allSatisfy(\.isASCIIDigit) else {
            return nil
        }
        let decimals = parts.count == 2 ? parts[1] : "0"
        guard (1...3).contains(decimals.count), decimals.allSatisfy(\.isASCIIDigit) else { return nil }
        return Int(whole + decimals + String(repeating: "0", count: 3 - decimals.count))
    }

    private func colour(_ value: Substring) throws(RecipeError) -> Recipe.RGB {
        let digits = value.dropFirst()
        guard value.first == "#", digits.count == 6, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
            let number = UInt32(digits, radix: 16)
        else {
            throw error("“background=\(value.printable)”: a colour is written #rrggbb, as in “background=#1a2b3c”")
        }
        return Recipe.RGB(red: UInt8(number >> 16), green: UInt8(number >> 8 & 255), blue: UInt8(number & 255))
    }

    private func quality(_ value: Substring) throws(RecipeError) -> Int {
        guard (1...3).contains(value.count), value.allSatisfy(\.isASCIIDigit), let number = Int(value), (1...100).contains(number) else {
            throw error("“q=\(value.printable)”: quality is a whole number from 1 to 100")
        }
        return number
    }

    /// Held against the format's own range at the end.
    private func effort(_ value: Substring) throws(RecipeError) -> Int {
        guard value.count == 1, value.allSatisfy(\.isASCIIDigit), let number = Int(value) else {
            throw error("“effort=\(value.printable)”: effort is a single digit: 0 to 6 for WebP, 0 to 9 for AVIF, 1 to 9 for PNG")
        }
        return number
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) && isASCII }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = self.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }
}
