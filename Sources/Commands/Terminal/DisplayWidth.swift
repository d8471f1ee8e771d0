extension StringProtocol {
    /// How many columns of a terminal this text takes: two for East Asian wide characters and emoji, none for marks.
    ///
    /// Terminals differ in the details; where they do, this is the larger number, so that a line never wraps by surprise.
    package var displayWidth: Int {
        if utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return utf8.count }
        return reduce(0) { $0 + $1.displayWidth }
    }

    /// As much of this text as fits into `columns`, with an ellipsis where it was cut; no character is cut in two.
    package func fitted(to columns: Int, ellipsis: String = "…") -> String {
        guard displayWidth > columns else { return String(self) }
        let room = columns - ellipsis.displayWidth
        guard room >= 0 else { return "" }
        var fitted = ""
        var width = 0
        for character in self {
            width += character.displayWidth
            guard width <= room else { break }
            fitted.append(character)
        }
        return fitted + ellipsis
    }
}

extension Character {
    fileprivate var displayWidth: Int {
        if let ascii = asciiValue { return ascii >= 0x20 && ascii != 0x7F ? 1 : 0 }
        // A joined emoji, a flag, or a sign asked to show as emoji is drawn as one picture.
        if unicodeScalars.contains(where: { $0.properties.isEmojiPresentation || $0.value == 0xFE0F }) { return 2 }
        return unicodeScalars.reduce(0) { $0 + $1.displayWidth }
    }
}

extension Unicode.Scalar {
    fileprivate var displayWidth: Int {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        // The second and third part of a Hangul syllable take no room of their own.
        if (0x1160...0x11FF).contains(value) { return 0 }
        return Self.wideRanges.contains { $0.contains(value) } ? 2 : 1
    }

    /// East_Asian_Width W and F, from the Unicode Character Database, in blocks.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF,
        0x20000...0x3FFFD,
    ]
}
