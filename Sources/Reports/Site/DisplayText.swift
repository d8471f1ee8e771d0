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

    /// `raw` on one line, without control characters and without the characters that switch direction for what follows.
    static func cleaned(_ raw: String) -> String {
        var cleaned = String.UnicodeScalarView()
        var pendingSpace = false
        for scalar in raw.unicodeScalars {
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
    fileprivate var isSafeToShow: Bool {
        switch value {
        case 0x202A...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFF9...0xFFFB: false
        default: properties.generalCategory != .control && !properties.isNoncharacterCodePoint
        }
    }
}
