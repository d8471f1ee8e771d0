internal import CVips

/// What a page shows of a picture before it has come: a colour and a blur.
struct Summary {
    /// `#rrggbb`.
    let colour: String
    /// A data URI of at most ``maximumPlaceholderBytes``.
    let placeholder: String

    /// Originals are not shrunk below this when decoded, along their longer side.
    static let leastWidth = 48
    static let maximumPlaceholderBytes = 300

    init(of raster: Raster) throws(LibVips.Failure) {
        let small = raster.averaged(longerSide: 48)
        colour = DominantColour.of(small).description
        placeholder = try Self.placeholder(small.averaged(longerSide: 20))
    }

    /// WebP, because its header is the smallest that browsers read: 20 bytes against JPEG's 600.
    private static func placeholder(_ tiny: Raster) throws(LibVips.Failure) -> String {
        let prefix = "data:image/webp;base64,"
        let picture = try VipsPicture(tiny)
        for quality: Int32 in [40, 25, 10, 1] {
            let bytes = try Encoder.webP(picture, quality: quality, alphaQuality: 10).bytes
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

extension Raster {
    /// These pixels averaged over blocks so that the longer side has at most `longerSide` pixels; colours are weighed by their opacity.
    func averaged(longerSide: Int) -> Raster {
        let longer = max(width, height)
        if longer <= longerSide { return self }
        func scaled(_ length: Int) -> Int { max(1, (length * longerSide + longer / 2) / longer) }
        let result = Raster(width: scaled(width), height: scaled(height), bands: bands)
        let from = bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
        let to = result.bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
        for y in 0..<result.height {
            let rows = y * height / result.height..<max((y + 1) * height / result.height, y * height / result.height + 1)
            for x in 0..<result.width {
                let columns = x * width / result.width..<max((x + 1) * width / result.width, x * width / result.width + 1)
                var sums: (red: UInt32, green: UInt32, blue: UInt32) = (0, 0, 0)
                var opacity: UInt32 = 0
                let opaque: UInt32 = bands == 4 ? 255 : 1
                // Some five rows of five are enough to know a block; it also keeps the sums small.
                let step = max(1, max(rows.count, columns.count) / 5)
                var count: UInt32 = 0
                for row in stride(from: rows.lowerBound, to: rows.upperBound, by: step) {
                    var source = from + (row * width + columns.lowerBound) * bands
                    for _ in stride(from: columns.lowerBound, to: columns.upperBound, by: step) {
                        let alpha = bands == 4 ? UInt32(source[3]) : 1
                        sums.red &+= UInt32(source[0]) &* alpha
                        sums.green &+= UInt32(source[1]) &* alpha
                        sums.blue &+= UInt32(source[2]) &* alpha
                        opacity &+= alpha
                        count &+= 1
                        source += bands &* step
                    }
                }
                let target = to + (y * result.width + x) * bands
                let weight = max(1, opacity)
                target[0] = UInt8((sums.red + weight / 2) / weight)
                target[1] = UInt8((sums.green + weight / 2) / weight)
                target[2] = UInt8((sums.blue + weight / 2) / weight)
                if bands == 4 { target[3] = UInt8(opacity * 255 / (count * opaque)) }
            }
        }
        return result
    }
}
