/// The scripts that titles come in, as far as language tags and text direction need them.
enum Script: String, Sendable, CaseIterable {
    case latin = "Latn"
    case greek = "Grek"
    case cyrillic = "Cyrl"
    case armenian = "Armn"
    case hebrew = "Hebr"
    case arabic = "Arab"
    case devanagari = "Deva"
    case bengali = "Beng"
    case gurmukhi = "Guru"
    case gujarati = "Gujr"
    case tamil = "Taml"
    case telugu = "Telu"
    case kannada = "Knda"
    case malayalam = "Mlym"
    case sinhala = "Sinh"
    case thai = "Thai"
    case georgian = "Geor"
    case ethiopic = "Ethi"
    case hangul = "Hang"
    case kana = "Kana"
    case han = "Hani"

    /// The script of a letter; nil for one that several scripts share, or that this table leaves out.
    init?(of scalar: Unicode.Scalar) {
        // Blocks of the Unicode standard; finer than this a language tag cannot be.
        switch scalar.value {
        case 0x41...0x5A, 0x61...0x7A, 0xAA, 0xBA, 0xC0...0x24F, 0x1E00...0x1EFF, 0x2C60...0x2C7F, 0xA720...0xA7FF, 0xFB00...0xFB06,
            0xFF21...0xFF5A:
            self = .latin
        case 0x370...0x3FF, 0x1F00...0x1FFF: self = .greek
        case 0x400...0x52F, 0x1C80...0x1C8F, 0x2DE0...0x2DFF, 0xA640...0xA69F: self = .cyrillic
        case 0x530...0x58F: self = .armenian
        case 0x590...0x5FF, 0xFB1D...0xFB4F: self = .hebrew
        case 0x600...0x6FF, 0x750...0x77F, 0x8A0...0x8FF, 0xFB50...0xFDFF, 0xFE70...0xFEFF: self = .arabic
        case 0x900...0x97F, 0xA8E0...0xA8FF: self = .devanagari
        case 0x980...0x9FF: self = .bengali
        case 0xA00...0xA7F: self = .gurmukhi
        case 0xA80...0xAFF: self = .gujarati
        case 0xB80...0xBFF: self = .tamil
        case 0xC00...0xC7F: self = .telugu
        case 0xC80...0xCFF: self = .kannada
        case 0xD00...0xD7F: self = .malayalam
        case 0xD80...0xDFF: self = .sinhala
        case 0xE00...0xE7F: self = .thai
        case 0x10A0...0x10FF, 0x1C90...0x1CBF, 0x2D00...0x2D2F: self = .georgian
        case 0x1200...0x139F, 0x2D80...0x2DDF: self = .ethiopic
        case 0x1100...0x11FF, 0x3130...0x318F, 0xA960...0xA97F, 0xAC00...0xD7FF: self = .hangul
        case 0x3040...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F: self = .kana
        case 0x2E80...0x2FDF, 0x3005...0x3007, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: self = .han
        default: return nil
        }
    }

    var isRightToLeft: Bool { self == .hebrew || self == .arabic }

    /// The tag for text in this script, given the language that was asked for.
    func language(expecting expected: String) -> String {
        let primary = expected.prefix { $0 != "-" && $0 != "_" }.lowercased()
        return writes(primary) ? expected : onlyLanguage ?? "und-\(rawValue)"
    }

    // MARK: - Private

    private func writes(_ language: String) -> Bool {
        switch self {
        case .cyrillic: ["ru", "uk", "be", "bg", "sr", "mk", "kk", "ky", "mn", "tg"].contains(language)
        case .arabic: ["ar", "fa", "ur", "ps", "ku", "ug", "sd"].contains(language)
        case .devanagari: ["hi", "mr", "ne", "sa"].contains(language)
        case .bengali: ["bn", "as"].contains(language)
        case .ethiopic: ["am", "ti"].contains(language)
        case .hebrew: ["he", "iw", "yi"].contains(language)
        case .han: ["zh", "ja", "yue"].contains(language)
        case .latin: !Self.writtenOtherwise.contains(language)
        default: onlyLanguage == language
        }
    }

    /// The language of a script that has, for titles, only one.
    private var onlyLanguage: String? {
        switch self {
        case .greek: "el"
        case .armenian: "hy"
        case .hebrew: "he"
        case .gurmukhi: "pa"
        case .gujarati: "gu"
        case .tamil: "ta"
        case .telugu: "te"
        case .kannada: "kn"
        case .malayalam: "ml"
        case .sinhala: "si"
        case .thai: "th"
        case .georgian: "ka"
        case .hangul: "ko"
        case .kana: "ja"
        case .latin, .cyrillic, .arabic, .devanagari, .bengali, .ethiopic, .han: nil
        }
    }

    /// Languages whose own script is not Latin: a Latin title in such a run is in some other language.
    private static let writtenOtherwise: Set = [
        "ru", "uk", "be", "bg", "mk", "kk", "ky", "mn", "tg", "ar", "fa", "ur", "ps", "ug", "sd", "hi", "mr", "ne", "sa", "bn", "as", "am",
        "ti", "he", "iw", "yi", "zh", "ja", "yue", "el", "hy", "pa", "gu", "ta", "te", "kn", "ml", "si", "th", "ka", "ko",
    ]
}
