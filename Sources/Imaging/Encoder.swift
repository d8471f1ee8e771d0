internal import CVips

/// Writes pixels in a format. The settings behind WebP's are in `docs/decisions/0003-webp-effort.md`.
enum Encoder {
    /// - Parameter quality: 1 to 100; ignored by PNG.
    static func encode(_ picture: VipsPicture, as format: ImageFormat, quality: Int) throws(LibVips.Failure) -> [UInt8] {
        let quality = Int32(quality)
        return switch format {
        case .webp: try webp(picture, quality: quality, effort: 4, alphaQuality: 100)
        case .png: try picture.encoded { posterity_save_png($0, $1, $2, 6) }
        case .jpeg: try picture.encoded { posterity_save_jpeg($0, $1, $2, quality) }
        case .avif: try picture.encoded { posterity_save_avif($0, $1, $2, quality, 4) }
        case .gif: throw .known(ImagingError(.renderFailed, "GIF is read but not written"))
        }
    }

    static func webp(_ picture: VipsPicture, quality: Int32, effort: Int32, alphaQuality: Int32) throws(LibVips.Failure) -> [UInt8] {
        WebPContainer.withoutMetadata(try picture.encoded { posterity_save_webp($0, $1, $2, quality, effort, alphaQuality) })
    }
}
