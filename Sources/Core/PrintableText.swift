extension StringProtocol {
    /// This text, safe to print: whatever could move the cursor, recolour a terminal, end a line or reorder other text is written as `\u{…}`.
    ///
    /// Titles and error texts come from strangers; a control character or a bidirectional override (U+202A…U+202E, U+2066…U+2069) in one
    /// must not be able to forge a log line. Letters of every script, marks, emoji and their joiners stay as they are.
    package var printable: String {
        guard unicodeScalars.contains(where: { !$0.isHarmlessToPrint }) else { return String(self) }
        var safe = ""
        for scalar in unicodeScalars {
            if scalar.isHarmlessToPrint {
                safe.unicodeScalars.append(scalar)
            } else {
                safe += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return safe
    }
}

extension Unicode.Scalar {
    fileprivate var isHarmlessToPrint: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
        case .format: !(0x202A...0x202E).contains(value) && !(0x2066...0x2069).contains(value) && value != 0xFEFF
        default: true
        }
    }
}
