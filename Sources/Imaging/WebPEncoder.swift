internal import CWebP

/// Writes lossy WebP with libwebp, without a detour through libvips and without metadata.
struct WebPEncoder {
    /// 1 to 100.
    var quality: Int
    /// 0 to 6, libwebp's method: more time for fewer bytes.
    var effort: Int
    /// How well the alpha plane is kept; 100 is without loss.
    var alphaQuality = 100

    /// - Precondition: no side is longer than ``Recipe/maximumSide``.
    func encode(_ raster: Raster) throws(LibVips.Failure) -> WebPContainer {
        try encode(width: raster.width, height: raster.height) { picture in
            let pixels = raster.bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
            let stride = Int32(raster.width * raster.bands)
            return raster.hasAlpha ? WebPPictureImportRGBA(&picture, pixels, stride) : WebPPictureImportRGB(&picture, pixels, stride)
        }
    }

    /// The part of `planes` that begins at `left` and `top`, which must be even.
    func encode(_ planes: Planes, left: Int, top: Int, width: Int, height: Int) throws(LibVips.Failure) -> WebPContainer {
        precondition(left % 2 == 0 && top % 2 == 0, "a cut through chroma's pixels")
        return try encode(width: width, height: height) { picture in
            // Read in place: only memory that libwebp has taken itself is freed with the picture.
            let chroma = top / 2 * planes.chromaStride + left / 2
            picture.y = planes.luma + top * planes.lumaStride + left
            picture.u = planes.blue + chroma
            picture.v = planes.red + chroma
            picture.y_stride = Int32(planes.lumaStride)
            picture.uv_stride = Int32(planes.chromaStride)
            return 1
        }
    }

    // MARK: - Private

    private func encode(width: Int, height: Int, _ fill: (inout WebPPicture) -> Int32) throws(LibVips.Failure) -> WebPContainer {
        var configuration = WebPConfig()
        var picture = WebPPicture()
        // Both fail only when the library at hand is not the one that was compiled against.
        guard WebPConfigInit(&configuration) != 0, WebPPictureInit(&picture) != 0 else { throw failure("libwebp is of another version") }
        configuration.quality = Float(quality)
        configuration.method = Int32(effort)
        configuration.alpha_quality = Int32(alphaQuality)
        picture.width = Int32(width)
        picture.height = Int32(height)
        defer { WebPPictureFree(&picture) }
        guard fill(&picture) != 0 else { throw failure("no memory for \(width) × \(height) pixels") }

        var writer = WebPMemoryWriter()
        WebPMemoryWriterInit(&writer)
        defer { WebPMemoryWriterClear(&writer) }
        let isEncoded = withUnsafeMutablePointer(to: &writer) { writer in
            picture.writer = WebPMemoryWrite
            picture.custom_ptr = UnsafeMutableRawPointer(writer)
            return WebPEncode(&configuration, &picture) != 0
        }
        guard isEncoded else { throw failure("libwebp's error \(picture.error_code.rawValue)") }
        return WebPContainer(Array(UnsafeRawBufferPointer(start: writer.mem, count: writer.size)))
    }

    private func failure(_ detail: String) -> LibVips.Failure {
        .known(ImagingError(.renderFailed, "the WebP picture cannot be made: \(detail)"))
    }
}
