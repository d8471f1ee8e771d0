internal import CVips

/// One reference to a `VipsImage`, mostly a pipeline that has not run yet. Stays on the thread that made it.
final class VipsPicture {
    private let image: UnsafeMutablePointer<VipsImage>
    /// Pixels that the image reads in place.
    private let source: Raster?

    private init(_ image: UnsafeMutablePointer<VipsImage>, source: Raster? = nil) {
        self.image = image
        self.source = source
    }

    deinit { g_object_unref(image) }

    /// Opens a picture and reads its header. `bytes` must outlive this picture and all that are made from it.
    convenience init(
        opening bytes: UnsafeRawBufferPointer, as format: ImageFormat, shrink: Int = 1, failOn: VipsFailOn
    ) throws(LibVips.Failure) {
        let loader: posterity_format =
            switch format {
            case .jpeg: POSTERITY_JPEG
            case .png: POSTERITY_PNG
            case .webp: POSTERITY_WEBP
            case .gif: POSTERITY_GIF
            case .avif: POSTERITY_AVIF
            }
        guard let image = posterity_load(loader, bytes.baseAddress, bytes.count, Int32(shrink), failOn) else { throw .unsaid }
        self.init(image)
    }

    /// A picture of `raster`'s pixels, which it keeps alive and does not copy.
    convenience init(_ raster: Raster) throws(LibVips.Failure) {
        guard
            let image = vips_image_new_from_memory(
                raster.bytes.baseAddress, raster.bytes.count, Int32(raster.width), Int32(raster.height), Int32(raster.bands),
                VIPS_FORMAT_UCHAR)
        else { throw .unsaid }
        defer { g_object_unref(image) }
        var tagged: UnsafeMutablePointer<VipsImage>?
        guard posterity_copy_as_srgb(image, &tagged) == 0, let tagged else { throw .unsaid }
        self.init(tagged, source: raster)
    }

    /// A picture of RGB rows in a file, read as they are needed.
    convenience init(rowsIn path: String, width: Int, height: Int) throws(LibVips.Failure) {
        guard let image = vips_image_new_from_file_raw(path, Int32(width), Int32(height), 3, 0) else { throw .unsaid }
        defer { g_object_unref(image) }
        var tagged: UnsafeMutablePointer<VipsImage>?
        guard posterity_copy_as_srgb(image, &tagged) == 0, let tagged else { throw .unsaid }
        self.init(tagged)
    }

    var width: Int { Int(vips_image_get_width(image)) }
    var height: Int { Int(vips_image_get_height(image)) }
    var bands: Int { Int(vips_image_get_bands(image)) }
    var interpretation: VipsInterpretation { vips_image_get_interpretation(image) }
    var hasAlpha: Bool { vips_image_hasalpha(image) != 0 }
    var isEightBit: Bool { vips_image_get_format(image) == VIPS_FORMAT_UCHAR }
    var hasProfile: Bool { vips_image_get_typeof(image, VIPS_META_ICC_NAME) != 0 }
    /// 1 to 8, as EXIF numbers them.
    var orientation: Int { Int(vips_image_get_orientation(image)) }
    var frameCount: Int { Int(vips_image_get_n_pages(image)) }

    typealias Output = UnsafeMutablePointer<UnsafeMutablePointer<VipsImage>?>

    /// The picture that `operation` makes of this one.
    func applying(_ operation: (UnsafeMutablePointer<VipsImage>, Output) -> Int32) throws(LibVips.Failure) -> VipsPicture {
        var output: UnsafeMutablePointer<VipsImage>?
        guard operation(image, &output) == 0, let output else { throw .unsaid }
        // A pipeline that begins in memory of ours must keep that memory.
        return VipsPicture(output, source: source)
    }

    /// Runs the pipeline.
    func rasterized() throws(LibVips.Failure) -> Raster {
        var count = 0
        guard let memory = vips_image_write_to_memory(image, &count) else { throw .unsaid }
        return Raster(owning: UnsafeMutableRawBufferPointer(start: memory, count: count), width: width, height: height, bands: bands)
    }

    /// Runs the pipeline into a file.
    func written(by save: (UnsafeMutablePointer<VipsImage>) -> Int32) throws(LibVips.Failure) {
        guard save(image) == 0 else { throw .unsaid }
    }

    typealias Saver = (UnsafeMutablePointer<VipsImage>, UnsafeMutablePointer<UnsafeMutableRawPointer?>, UnsafeMutablePointer<Int>) -> Int32

    /// Runs the pipeline into an encoder.
    func encoded(by save: Saver) throws(LibVips.Failure) -> [UInt8] {
        var memory: UnsafeMutableRawPointer?
        var count = 0
        guard save(image, &memory, &count) == 0, let memory else { throw .unsaid }
        defer { g_free(memory) }
        return Array(UnsafeRawBufferPointer(start: memory, count: count))
    }
}
