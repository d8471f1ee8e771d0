internal import CCairo

extension Canvas {
    /// A canvas of transparent pixels.
    ///
    /// - Parameter scale: pixels per unit: 2 draws the same for a dense screen.
    package static func raster(widthPixels: Int, heightPixels: Int, scale: Double = 1) throws(DrawingError) -> Canvas {
        guard (1...32_767).contains(widthPixels), (1...32_767).contains(heightPixels) else {
            throw DrawingError(.badSize, "a canvas of \(widthPixels) × \(heightPixels) pixels: each side must be 1 to 32,767")
        }
        let surface = try Surface(
            cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(widthPixels), Int32(heightPixels)),
            doing: "making a canvas of \(widthPixels) × \(heightPixels) pixels")
        return Canvas(surface: surface, scale: scale)
    }

    package var widthPixels: Int { Int(cairo_image_surface_get_width(surface.pointer)) }
    package var heightPixels: Int { Int(cairo_image_surface_get_height(surface.pointer)) }

    /// What has been drawn on a raster canvas: row by row, four bytes each (red, green, blue, opacity not multiplied in).
    ///
    /// - Parameter rows: the rows wanted; nil means all.
    package func rgba(rows: Range<Int>? = nil) throws(DrawingError) -> [UInt8] {
        try check(doing: "drawing")
        cairo_surface_flush(surface.pointer)
        let width = widthPixels
        let rows = rows ?? 0..<heightPixels
        let stride = Int(cairo_image_surface_get_stride(surface.pointer))
        let source = UnsafeRawPointer(cairo_image_surface_get_data(surface.pointer)!)
        return [UInt8](unsafeUninitializedCapacity: width * rows.count * 4) { target, count in
            var place = 0
            for y in rows {
                let row = (source + y * stride).assumingMemoryBound(to: UInt32.self)
                for x in 0..<width {
                    let pixel = row[x]
                    let alpha = pixel >> 24
                    var (red, green, blue) = (pixel >> 16 & 0xff, pixel >> 8 & 0xff, pixel & 0xff)
                    if alpha != 255, alpha != 0 {
                        red = min(255, (red * 255 + alpha / 2) / alpha)
                        green = min(255, (green * 255 + alpha / 2) / alpha)
                        blue = min(255, (blue * 255 + alpha / 2) / alpha)
                    }
                    target[place] = UInt8(truncatingIfNeeded: red)
                    target[place + 1] = UInt8(truncatingIfNeeded: green)
                    target[place + 2] = UInt8(truncatingIfNeeded: blue)
                    target[place + 3] = UInt8(truncatingIfNeeded: alpha)
                    place += 4
                }
            }
            count = place
        }
    }
}
