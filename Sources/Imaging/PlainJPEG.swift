internal import CTurboJPEG

/// A JPEG of the plain kind that posters nearly always are, decoded by libjpeg-turbo itself. Owns one decompressor.
///
/// Plain means grey or Y′CbCr, without a colour profile and without EXIF, which may turn the picture. Every other, and everything that draws as much as a warning
/// here, is libvips' to decode and to judge: it costs three times as much, and knows every kind there is.
struct PlainJPEG: ~Copyable {
    private let decompressor: tjhandle
    private let bytes: UnsafeRawBufferPointer
    let width: Int
    let height: Int
    private let sampling: TJSAMP

    /// Reads the header; nil when the picture is not plain, or not one at all. `bytes` must outlive this.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard Self.hasPlainSegments(bytes), let decompressor = tjInitDecompress() else { return nil }
        var (width, height, sampling, colourSpace): (Int32, Int32, Int32, Int32) = (0, 0, -1, -1)
        let failure = tjDecompressHeader3(
            decompressor, bytes.baseAddress, UInt(bytes.count), &width, &height, &sampling, &colourSpace)
        let isPlain = TJCS(UInt32(bitPattern: colourSpace)) == TJCS_YCbCr || TJCS(UInt32(bitPattern: colourSpace)) == TJCS_GRAY
        guard failure == 0, isPlain, sampling >= 0, width > 0, height > 0 else {
            tjDestroy(decompressor)
            return nil
        }
        self.decompressor = decompressor
        self.bytes = bytes
        self.width = Int(width)
        self.height = Int(height)
        self.sampling = TJSAMP(UInt32(sampling))
    }

    deinit {
        tjDestroy(decompressor)
    }

    /// Whether ``planes()`` can be had: chroma is halved both ways, or there is none.
    var hasPlanes: Bool { sampling == TJSAMP_420 || sampling == TJSAMP_GRAY }

    /// The picture's own planes, but for the range; nil when anything at all is wrong with it.
    func planes() -> Planes? {
        guard hasPlanes else { return nil }
        let planes = Planes(width: width, height: height)
        let isGrey = sampling == TJSAMP_GRAY
        var starts: [UnsafeMutablePointer<UInt8>?] = [planes.luma, planes.blue, planes.red]
        var strides = [Int32(planes.lumaStride), Int32(planes.chromaStride), Int32(planes.chromaStride)]
        let failure = tjDecompressToYUVPlanes(
            decompressor, bytes.baseAddress, UInt(bytes.count), &starts, Int32(width), &strides, Int32(height), Self.flags)
        guard failure == 0 else { return nil }
        if isGrey { planes.removeColour() }
        planes.compressRange()
        return planes
    }

    /// The picture in RGB, `shrink` (1, 2, 4 or 8) times smaller, rounded up; nil when anything at all is wrong with it.
    func raster(shrink: Int) -> Raster? {
        let raster = Raster(width: (width + shrink - 1) / shrink, height: (height + shrink - 1) / shrink, bands: 3)
        let failure = tjDecompress2(
            decompressor, bytes.baseAddress, UInt(bytes.count), raster.bytes.baseAddress, Int32(raster.width), Int32(raster.width * 3),
            Int32(raster.height), Int32(TJPF_RGB.rawValue), Self.flags)
        return failure == 0 ? raster : nil
    }

    // MARK: - Private

    /// The exact transform, and no patience: the first warning is the end.
    private static let flags = TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS | TJFLAG_STOPONWARNING

    /// Whether no segment before the first scan is EXIF (APP1) or a colour profile (APP2).
    private static func hasPlainSegments(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var at = 2
        while at + 4 <= bytes.count, bytes[at] == 0xFF {
            switch bytes[at + 1] {
            case 0xDA: return true
            // Besides those, whatever is no segment with a length: fill bytes and markers that stand alone.
            case 0xE1, 0xE2, 0xFF, 0x00, 0x01, 0xD0...0xD9: return false
            default: at += 2 + (Int(bytes[at + 2]) << 8 | Int(bytes[at + 3]))
            }
        }
        return false
    }
}
