internal import CVips

/// Decoded pixels in memory: rows from the top, 8 bits a band, straight alpha. Owns one block from GLib's allocator.
final class Raster {
    let bytes: UnsafeMutableRawBufferPointer
    let width: Int
    let height: Int
    /// 3 for RGB, 4 for RGBA.
    let bands: Int

    /// Takes over `bytes`, which libvips has allocated.
    init(owning bytes: UnsafeMutableRawBufferPointer, width: Int, height: Int, bands: Int) {
        precondition(bytes.count == width * height * bands, "pixels that do not fill their picture")
        self.bytes = bytes
        self.width = width
        self.height = height
        self.bands = bands
    }

    /// Pixels of no particular value.
    convenience init(width: Int, height: Int, bands: Int) {
        let count = width * height * bands
        // g_malloc aborts rather than return NULL for a count above 0.
        let memory = g_malloc(gsize(count))!
        self.init(owning: UnsafeMutableRawBufferPointer(start: memory, count: count), width: width, height: height, bands: bands)
    }

    /// A copy of a drawing's pixels.
    convenience init(_ pixels: PixelBuffer) {
        self.init(width: pixels.widthPixels, height: pixels.heightPixels, bands: 4)
        bytes.copyBytes(from: pixels.rgba)
    }

    deinit { g_free(bytes.baseAddress) }

    var hasAlpha: Bool { bands == 4 }
}
