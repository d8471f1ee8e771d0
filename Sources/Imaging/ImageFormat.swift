/// The picture formats that are read; all but GIF are also written.
package enum ImageFormat: String, Sendable, Codable, CaseIterable {
    case jpeg, png, webp, gif, avif

    /// The extension of a file of this format, without the dot.
    package var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        default: rawValue
        }
    }

    package var mediaType: String { "image/" + rawValue }

    /// The quality when a recipe names none; nil for formats that lose nothing or are not written.
    var defaultQuality: Int? {
        switch self {
        case .webp: 80
        case .jpeg: 85
        case .avif: 60
        case .png, .gif: nil
        }
    }

    /// The encoder's efforts, from the quickest to the one that saves most: libwebp's methods, zlib's levels, libaom's speeds reversed.
    var efforts: ClosedRange<Int>? {
        switch self {
        case .webp: 0...6
        case .png: 1...9
        case .avif: 0...9
        case .jpeg, .gif: nil
        }
    }

    /// The effort when a recipe names none; `docs/decisions/0003-webp-effort.md` has the figures.
    var defaultEffort: Int? {
        switch self {
        case .webp: 2
        case .png: 3
        case .avif: 0
        case .jpeg, .gif: nil
        }
    }

    /// The format by the first bytes, or nil when it is none of ours.
    ///
    /// Nothing else decides: not a name, not a Content-Type. An HEIF container counts as AVIF only if one of its brands says so.
    package static func sniff(_ bytes: [UInt8]) -> ImageFormat? {
        if case .allowed(let format) = SniffedContent(bytes) { format } else { nil }
    }
}

/// What the first bytes of a body say it is, in enough detail for a helpful refusal.
enum SniffedContent {
    case allowed(ImageFormat)
    /// A picture or document that is not let in, such as `a TIFF picture`.
    case forbidden(String)
    /// Not a picture, such as `HTML`.
    case other(String)

    init(_ bytes: [UInt8]) {
        func starts(_ prefix: [UInt8], at offset: Int = 0) -> Bool {
            bytes.count >= offset + prefix.count && bytes[offset..<offset + prefix.count].elementsEqual(prefix)
        }
        func starts(_ prefix: StaticString, at offset: Int = 0) -> Bool {
            prefix.withUTF8Buffer { starts(Array($0), at: offset) }
        }

        if starts([0xFF, 0xD8, 0xFF]) {
            self = .allowed(.jpeg)
        } else if starts([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .allowed(.png)
        } else if starts("RIFF"), starts("WEBP", at: 8) {
            self = .allowed(.webp)
        } else if starts("GIF87a") || starts("GIF89a") {
            self = .allowed(.gif)
        } else if starts("ftyp", at: 4) {
            let brands = Self.brands(bytes)
            self = brands.contains("avif") || brands.contains("avis") ? .allowed(.avif) : .forbidden("an HEIF or MP4 file that is not AVIF")
        } else if starts("%PDF") {
            self = .forbidden("a PDF document")
        } else if starts([0x49, 0x49, 0x2A, 0]) || starts([0x4D, 0x4D, 0, 0x2A]) || starts([0x49, 0x49, 0x2B, 0]) {
            self = .forbidden("a TIFF picture")
        } else if starts("%!PS") {
            self = .forbidden("a PostScript document")
        } else if starts("8BPS") {
            self = .forbidden("a Photoshop picture")
        } else if starts("BM"), starts([0, 0, 0, 0], at: 6) {
            self = .forbidden("a BMP picture")
        } else if starts([0xFF, 0x0A]) || starts("JXL ", at: 4) {
            self = .forbidden("a JPEG XL picture")
        } else if starts("jP  ", at: 4) || starts([0xFF, 0x4F, 0xFF, 0x51]) {
            self = .forbidden("a JPEG 2000 picture")
        } else {
            self = Self.text(bytes)
        }
    }

    /// The major and compatible brands of an ISO media file whose first box is `ftyp`.
    private static func brands(_ bytes: [UInt8]) -> [String] {
        let size = bytes[0..<4].reduce(0) { $0 << 8 | Int($1) }
        let end = min(size, bytes.count, 8 + 4 * 64)
        return stride(from: 8, to: max(8, end - 3), by: 4).filter { $0 != 12 }.map { String(decoding: bytes[$0..<$0 + 4], as: UTF8.self) }
    }

    /// Tells the texts apart that servers send in place of a picture.
    private static func text(_ bytes: [UInt8]) -> SniffedContent {
        let head = String(decoding: bytes.prefix(1024), as: UTF8.self).lowercased()
        let start = head.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if start.hasPrefix("push graphic-context") || start.hasPrefix("viewbox") { return .forbidden("an ImageMagick drawing") }
        if head.contains("<svg") { return .forbidden("an SVG drawing") }
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") || head.contains("<html") { return .other("HTML") }
        if start.hasPrefix("<") { return .other("XML or HTML") }
        if start.hasPrefix("{") || start.hasPrefix("[") { return .other("JSON") }
        return .other("of no known kind")
    }
}
