/// What a page shows of a picture before it has come: a colour and a blur.
struct Summary {
    /// `#rrggbb`.
    let colour: String
    /// A data URI of at most ``maximumPlaceholderBytes``.
    let placeholder: String

    /// Originals are not shrunk below this when decoded, along their longer side.
    static let leastWidth = 32
    static let maximumPlaceholderBytes = 300

    init(of original: borrowing Original) throws(LibVips.Failure) {
        let small = original.averaged(longerSide: Self.leastWidth)
        colour = DominantColour.of(small).description
        placeholder = try Self.placeholder(small.averaged(longerSide: 20))
    }

    /// WebP, because its header is the smallest that browsers read: 20 bytes against JPEG's 600.
    private static func placeholder(_ tiny: Raster) throws(LibVips.Failure) -> String {
        let prefix = "data:image/webp;base64,"
        for quality in [40, 25, 10, 1] {
            let bytes = try WebPEncoder(quality: quality, effort: 2, alphaQuality: 10).encode(tiny).bytes
            let text = prefix + base64(bytes)
            let isSmallEnough = text.utf8.count <= maximumPlaceholderBytes
            if isSmallEnough || max(tiny.width, tiny.height) == 1 { return text }
        }
        return try placeholder(tiny.averaged(longerSide: max(tiny.width, tiny.height) / 2))
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let value = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for index in 0..<4 {
                text.append(index <= group.count ? digits[value >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
