internal import CVips

/// How finished pixels are written. The figures behind the defaults are in `docs/decisions/0003-webp-effort.md`.
struct Encoder {
    let format: ImageFormat
    /// 1 to 100; ignored by PNG.
    let quality: Int
    /// Within the format's ``ImageFormat/efforts``; ignored by JPEG.
    let effort: Int

    /// - Parameters: nil for the format's defaults.
    init(_ format: ImageFormat, quality: Int? = nil, effort: Int? = nil) {
        self.format = format
        self.quality = quality ?? format.defaultQuality ?? 100
        self.effort = effort ?? format.defaultEffort ?? 0
    }

    func encode(_ raster: Raster) throws(LibVips.Failure) -> [UInt8] {
        format == .webp ? try webP.encode(raster).bytes : try encode(VipsPicture(raster))
    }

    /// A picture that need not be in memory as a whole, unless the format is WebP.
    func encode(_ picture: VipsPicture) throws(LibVips.Failure) -> [UInt8] {
        let (quality, effort) = (Int32(quality), Int32(effort))
        return switch format {
        case .webp: try webP.encode(picture.rasterized()).bytes
        case .png: try picture.encoded { posterity_save_png($0, $1, $2, effort) }
        case .jpeg: try picture.encoded { posterity_save_jpeg($0, $1, $2, quality) }
        case .avif: try picture.encoded { posterity_save_avif($0, $1, $2, quality, effort) }
        case .gif: throw .known(ImagingError(.renderFailed, "GIF is read but not written"))
        }
    }

    var webP: WebPEncoder { WebPEncoder(quality: quality, effort: effort) }
}
