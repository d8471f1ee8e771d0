/// Raw pixels from a drawing or for one: rows from the top, 4 bytes RGBA each, straight alpha.
package struct PixelBuffer: Sendable, Hashable {
    package let widthPixels: Int
    package let heightPixels: Int
    package let rgba: [UInt8]

    /// - Precondition: `rgba` has `widthPixels` × `heightPixels` × 4 bytes, and there is at least one pixel.
    package init(widthPixels: Int, heightPixels: Int, rgba: [UInt8]) {
        precondition(widthPixels > 0 && heightPixels > 0, "a drawing without pixels")
        precondition(rgba.count == widthPixels * heightPixels * 4, "pixels that do not fill their drawing")
        self.widthPixels = widthPixels
        self.heightPixels = heightPixels
        self.rgba = rgba
    }

    init(_ raster: Raster) {
        let full = raster.hasAlpha ? raster : raster.withAlpha()
        self.init(widthPixels: full.width, heightPixels: full.height, rgba: Array(full.bytes))
    }
}

package extension Renderer {
    /// Encodes a drawing.
    ///
    /// - Parameters:
    ///   - quality: 1 to 100, or nil for the format's default; ignored by PNG.
    ///   - background: what shows through where the drawing is transparent; nil keeps it so, but for JPEG, which then gets white.
    func encode(
        _ pixels: PixelBuffer, as format: ImageFormat, quality: Int? = nil, background: Recipe.RGB? = nil
    ) async throws(ImagingError) -> [UInt8] {
        let background = background ?? (format == .jpeg ? .white : nil)
        return try await onThread(making: "a \(format.name) picture") { () throws(LibVips.Failure) in
            var raster = Raster(pixels).withoutNeedlessAlpha()
            if let background, raster.hasAlpha { raster = raster.flattened(on: background) }
            return try Encoder(format, quality: quality).encode(raster)
        }
    }

    /// A drawing scaled to exactly this size, whatever its shape.
    func resized(_ pixels: PixelBuffer, widthPixels: Int, heightPixels: Int) async throws(ImagingError) -> PixelBuffer {
        try await onThread(making: "a picture of \(widthPixels) × \(heightPixels) pixels") { () throws(LibVips.Failure) in
            let raster = Raster(pixels).withoutNeedlessAlpha()
            return PixelBuffer(try raster.scaled(width: widthPixels, height: heightPixels))
        }
    }
}
