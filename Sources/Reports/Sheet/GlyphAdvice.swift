/// What to install for characters that no font on the machine can show.
enum GlyphAdvice {
    /// One sentence for all of them; nil when there are none.
    static func sentence(for missing: Set<Unicode.Scalar>) -> String? {
        guard !missing.isEmpty else { return nil }
        let sorted = missing.sorted { $0.value < $1.value }
        let shown = sorted.prefix(5).map { "\"\($0)\" (U+\(hexadecimal($0.value)))" }.joined(separator: ", ")
        let more = sorted.count > 5 ? " and \(sorted.count - 5) more" : ""
        let packages = Set(sorted.compactMap(package)).sorted()
        let advice =
            packages.isEmpty
            ? "no Debian package of fonts is known to have them"
            : "on Debian, apt install \(packages.joined(separator: " "))"
        return "no font on this machine has \(shown)\(more); \(advice)"
    }

    /// The Debian package whose fonts have this character.
    private static func package(for scalar: Unicode.Scalar) -> String? {
        if scalar.properties.generalCategory == .privateUse || scalar.properties.generalCategory == .unassigned { return nil }
        if scalar.properties.isEmojiPresentation { return "fonts-noto-color-emoji" }
        switch scalar.value {
        // CJK: radicals to Yi, Hangul syllables, compatibility forms, half and full widths, the supplementary ideographic planes.
        case 0x1100...0x11FF, 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFFEF,
            0x1B000...0x1B16F, 0x20000...0x3FFFF:
            return "fonts-noto-cjk"
        case 0x1F000...0x1FAFF: return "fonts-noto-color-emoji"
        // Scripts of the past and of small communities.
        case 0x10000...0x1AFFF, 0x1B170...0x1EFFF: return "fonts-noto-extra"
        default: return "fonts-noto-core"
        }
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
