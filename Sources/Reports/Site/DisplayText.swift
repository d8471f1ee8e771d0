/// A stranger's text made fit to show: what language and direction it has, and nothing in it that reorders or hides the text around it.
struct DisplayText: Sendable, Equatable {
    let text: String
    /// A BCP 47 tag. Where the script alone does not tell the language it is `und-` and the script, which claims nothing that may be wrong.
    let language: String
    let isRightToLeft: Bool

    var direction: String { isRightToLeft ? "rtl" : "ltr" }

    /// - Parameter expectedLanguage: the tag asked of the API; it is believed when the text is in a script that this language is written in.
    init(_ raw: String, expectedLanguage: String) {
        text = Self.cleaned(raw)
        var counts: [Script: Int] = [:]
        var first: Script?
        for scalar in text.unicodeScalars where scalar.properties.isAlphabetic {
            guard let script = Script(of: scalar) else { continue }
            counts[script, default: 0] += 1
            first = first ?? script
        }
        isRightToLeft = first?.isRightToLeft ?? false
        // Japanese mixes kana with many Han characters; one kana is enough to tell it from Chinese.
        let most = counts.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key
        let script = most == .han && counts[.kana] != nil ? .kana : most
        language = script.map { $0.language(expecting: expectedLanguage) } ?? expectedLanguage
    }

    /// No script puts more marks on one letter; towers of them would stand in the lines above.
    private static let mostMarks = 4
    /// Titles of films are shorter by far; what is longer would cost more to set than it says.
    private static let mostScalars = 500

    /// `raw` on one line, without control characters and without the characters that switch direction for what follows; and not beyond all
    /// measure, neither in length nor in marks on a letter.
    static func cleaned(_ raw: String) -> String {
        var cleaned = String.UnicodeScalarView()
        var pendingSpace = false
        var (count, marks) = (0, 0)
        for scalar in raw.unicodeScalars {
            marks = scalar.isMark ? marks + 1 : 0
            guard marks <= mostMarks else { continue }
            count += 1
            guard count <= mostScalars else { return String(cleaned) + "…" }
            if scalar.properties.isWhitespace {
                pendingSpace = !cleaned.isEmpty
            } else if scalar.isSafeToShow {
                if pendingSpace { cleaned.append(" ") }
                pendingSpace = false
                cleaned.append(scalar)
            }
        }
        return String(cleaned)
    }
}

extension Unicode.Scalar {
    /// Whether it is put on the character before it without taking a place of its own.
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }

    fileprivate var isSafeToShow: Bool {
        switch value {
        case 0x202A...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB: false
        default: properties.generalCategory != .control && !properties.isNoncharacterCodePoint
        }
    }
}
