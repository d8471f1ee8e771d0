/// An opaque picture as WebP codes it: 8-bit Y′CbCr of BT.601 in video range (luma 16 to 235), chroma halved both ways and centred.
///
/// JPEG and WebP both code such planes. A picture that goes from one to the other in its own size needs no RGB in between, which would cost
/// time twice, and chroma its sharpness twice.
final class Planes {
    typealias Bytes = UnsafeMutablePointer<UInt8>

    let width: Int
    let height: Int
    /// From row to row, in bytes.
    let lumaStride: Int
    let chromaStride: Int
    let luma: Bytes
    let blue: Bytes
    let red: Bytes

    /// Planes of no particular value, with room for both sides rounded up to even.
    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        chromaStride = (width + 1) / 2
        lumaStride = chromaStride * 2
        let chromaHeight = (height + 1) / 2
        let (lumaCount, chromaCount) = (lumaStride * chromaHeight * 2, chromaStride * chromaHeight)
        luma = .allocate(capacity: lumaCount + 2 * chromaCount)
        blue = luma + lumaCount
        red = blue + chromaCount
    }

    deinit { luma.deallocate() }

    private var lumaCount: Int { blue - luma }
    private var chromaCount: Int { red - blue }

    /// Takes the planes, so far of full range as JPEG has them, into video range.
    func compressRange() {
        Self.scale(luma, lumaCount, by: 219, plus: 16 * 255)
        Self.scale(blue, 2 * chromaCount, by: 224, plus: 128 * (255 - 224))
    }

    /// Makes the picture grey.
    func removeColour() {
        blue.update(repeating: 128, count: 2 * chromaCount)
    }

    /// The colour of a pixel of these values.
    static func rgb(luma: Double, blue: Double, red: Double) -> Recipe.RGB {
        func byte(_ value: Double) -> UInt8 { UInt8(min(max(value, 0), 255).rounded()) }
        let (y, cb, cr) = ((luma - 16) * 255 / 219, (blue - 128) * 255 / 224, (red - 128) * 255 / 224)
        // From ITU-R BT.601's weights of red and blue, 0.299 and 0.114.
        return Recipe.RGB(
            red: byte(y + 1.402 * cr), green: byte(y - (0.114 * 1.772 * cb + 0.299 * 1.402 * cr) / 0.587), blue: byte(y + 1.772 * cb))
    }

    /// Makes each byte b of them (factor · b + offset) / 255, rounded half up: exact, and in 16 bits, eight bytes at a time.
    private static func scale(_ bytes: Bytes, _ count: Int, by factor: UInt16, plus offset: UInt16) {
        for index in 0..<count {
            let product = UInt16(bytes[index]) &* factor &+ offset &+ 127
            bytes[index] = UInt8(truncatingIfNeeded: (product &+ 1 &+ product >> 8) >> 8)
        }
    }
}
