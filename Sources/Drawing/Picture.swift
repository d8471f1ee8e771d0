internal import CCairo
internal import Glibc

/// A picture to be drawn on a canvas. Owns one cairo surface. Not `Sendable`: it is drawn by the thread that made it.
package final class Picture {
    package let widthPixels: Int
    package let heightPixels: Int
    let surface: Surface

    /// A picture made of pixels.
    ///
    /// - Parameter rgba: row by row, four bytes each, opacity not multiplied in; exactly `widthPixels * heightPixels * 4` bytes.
    package init(widthPixels: Int, heightPixels: Int, rgba: [UInt8]) throws(DrawingError) {
        precondition(rgba.count == widthPixels * heightPixels * 4, "a picture's pixels must fill it")
        self.widthPixels = widthPixels
        self.heightPixels = heightPixels
        surface = try Surface(
            cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(widthPixels), Int32(heightPixels)),
            doing: "making a picture of \(widthPixels) × \(heightPixels)")
        cairo_surface_flush(surface.pointer)
        let stride = Int(cairo_image_surface_get_stride(surface.pointer))
        let target = UnsafeMutableRawPointer(cairo_image_surface_get_data(surface.pointer)!)
        rgba.withUnsafeBytes { source in
            var place = 0
            for y in 0..<heightPixels {
                let row = (target + y * stride).assumingMemoryBound(to: UInt32.self)
                for x in 0..<widthPixels {
                    let (red, green, blue) = (UInt32(source[place]), UInt32(source[place + 1]), UInt32(source[place + 2]))
                    let alpha = UInt32(source[place + 3])
                    place += 4
                    row[x] =
                        alpha == 255
                        ? 0xff00_0000 | red << 16 | green << 8 | blue
                        : alpha << 24 | Self.multiply(red, alpha) << 16 | Self.multiply(green, alpha) << 8 | Self.multiply(blue, alpha)
                }
            }
        }
        cairo_surface_mark_dirty(surface.pointer)
    }

    /// A JPEG that a PDF canvas takes in as it is, byte for byte, without decoding it.
    ///
    /// It has no pixels, so on a raster canvas it is black. Its surface is memory that is never touched, which costs next to nothing.
    /// - Parameters:
    ///   - widthPixels: as the JPEG's frame header says, before any EXIF orientation; likewise `heightPixels`.
    ///   - identity: equal for equal bytes, so that a picture drawn twice is stored once.
    package init(jpeg: [UInt8], widthPixels: Int, heightPixels: Int, identity: String) throws(DrawingError) {
        self.widthPixels = widthPixels
        self.heightPixels = heightPixels
        surface = try Surface(
            cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(widthPixels), Int32(heightPixels)),
            doing: "making a picture of \(widthPixels) × \(heightPixels)")
        try attach(jpeg, as: CAIRO_MIME_TYPE_JPEG)
        try attach(Array(identity.utf8), as: CAIRO_MIME_TYPE_UNIQUE_ID)
    }

    private func attach(_ bytes: [UInt8], as type: String) throws(DrawingError) {
        // cairo frees the copy when the last surface or recording that uses it is gone, which may be later than this picture.
        guard let copy = malloc(max(1, bytes.count)) else { throw DrawingError(.outOfMemory, "keeping \(bytes.count) bytes of a picture") }
        bytes.withUnsafeBytes { if let base = $0.baseAddress { memcpy(copy, base, $0.count) } }
        let status = cairo_surface_set_mime_data(
            surface.pointer, type, copy.assumingMemoryBound(to: UInt8.self), UInt(bytes.count), { free($0) }, copy)
        if status != CAIRO_STATUS_SUCCESS { free(copy) }
        try DrawingError.check(status, doing: "attaching \(type) to a picture")
    }

    private static func multiply(_ value: UInt32, _ alpha: UInt32) -> UInt32 {
        let product = value * alpha + 128
        return (product + product >> 8) >> 8
    }
}
