internal import CVips

/// Writes pixels in a format. The settings behind WebP and AVIF are in `docs/decisions/0003-webp-effort.md`.
enum Encoder {
    /// - Parameter quality: 1 to 100; ignored by PNG.
    static func encode(_ picture: VipsPicture, as format: ImageFormat, quality: Int) throws(LibVips.Failure) -> [UInt8] {
        let quality = Int32(quality)
        return switch format {
        case .webp: try webP(picture, quality: quality).bytes
        case .png: try picture.encoded { posterity_save_png($0, $1, $2, 6) }
        case .jpeg: try picture.encoded { posterity_save_jpeg($0, $1, $2, quality) }
        case .avif: try picture.encoded { posterity_save_avif($0, $1, $2, quality, 1) }
        case .gif: throw .known(ImagingError(.renderFailed, "GIF is read but not written"))
        }
    }

    /// `effort` 0 to 6 is libwebp's method; `alphaQuality` 100 codes the alpha plane without loss.
    static func webP(
        _ picture: VipsPicture, quality: Int32, effort: Int32 = 2, alphaQuality: Int32 = 100
    ) throws(LibVips.Failure) -> WebPContainer {
        var file = WebPContainer(try picture.encoded { posterity_save_webp($0, $1, $2, quality, effort, alphaQuality) })
        file.removeMetadata()
        return file
    }
}
