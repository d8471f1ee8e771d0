internal import Synchronization

/// How opaque the pixels of a rounded top left corner are. Plain bytes, so that threads can share one.
struct CornerMask: Sendable {
    /// Pixels along either side.
    let side: Int
    /// Rows from the top, `side` × `side`: 0 outside, 255 inside, and in between the part of the pixel's area that lies inside.
    let coverage: [UInt8]

    init(radius: Double) {
        let side = Int(radius.rounded(.up))
        // Exact down each of a pixel's 16 columns; averaged with its mirror image across the diagonal, which a corner equals.
        let columnsPerPixel = 16
        var areas = [Double](repeating: 0, count: side * side)
        for column in 0..<side * columnsPerPixel {
            let fromCentre = max(0, radius - (Double(column) + 0.5) / Double(columnsPerPixel))
            let edge = radius - (radius * radius - fromCentre * fromCentre).squareRoot()
            for y in 0..<side {
                areas[y * side + column / columnsPerPixel] += min(1, max(0, Double(y + 1) - edge)) / Double(columnsPerPixel)
            }
        }
        var coverage = [UInt8](repeating: 0, count: side * side)
        for y in 0..<side {
            for x in 0..<side {
                coverage[y * side + x] = UInt8(((areas[y * side + x] + areas[x * side + y]) / 2 * 255).rounded())
            }
        }
        self.side = side
        self.coverage = coverage
    }
}

/// The masks in use: a run has a handful of radii and thousands of pictures.
final class CornerMasks: Sendable {
    private let masks = Mutex<[Double: CornerMask]>([:])

    func mask(radius: Double) -> CornerMask {
        if let mask = masks.withLock({ $0[radius] }) { return mask }
        let mask = CornerMask(radius: radius)
        masks.withLock { masks in
            // A radius in percent of widths that vary could fill memory.
            if masks.count >= 64 { masks.removeAll() }
            masks[radius] = mask
        }
        return mask
    }
}
