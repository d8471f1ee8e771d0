internal import Core

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

/// The masks in use: a run has a handful of shapes and thousands of pictures. Keeps plain bytes only, which threads may share.
final class CornerMasks: Sendable {
    private struct Shape: Hashable {
        let width: Int
        let height: Int
        let radius: Double
    }

    private let masks = Mutex<[Double: CornerMask]>([:])
    private let webPPlanes = Mutex<[Shape: [UInt8]]>([:])

    func mask(radius: Double) -> CornerMask {
        Self.remembered(in: masks, radius) { CornerMask(radius: radius) }
    }

    /// The alpha plane of an opaque picture with round corners as WebP stores it, without the picture.
    ///
    /// It is the same for every poster of a size, and to code it anew each time would take a third of the encoder's time.
    func webPPlane(width: Int, height: Int, radius: Double) throws(LibVips.Failure) -> [UInt8] {
        try Self.remembered(in: webPPlanes, Shape(width: width, height: height, radius: radius)) { () throws(LibVips.Failure) in
            let blank = Raster(width: width, height: height, bands: 4)
            _ = blank.bytes.initializeMemory(as: UInt8.self, repeating: 255)
            blank.roundCorners(mask(radius: radius))
            let file = try WebPEncoder(quality: 1, effort: 4).encode(blank)
            // No chunk means that the radius is too small to touch a pixel.
            return file["ALPH"].map(Array.init) ?? []
        }
    }

    private static func remembered<Key: Hashable & Sendable, Value: Sendable, Problem: Error>(
        in memory: borrowing Mutex<[Key: Value]>, _ key: Key, _ make: () throws(Problem) -> Value
    ) throws(Problem) -> Value {
        if let value = memory.withLock({ $0[key] }) { return value }
        let value = try make()
        memory.withLock { memory in
            // Pictures of every size there is, each with a radius in percent, must not fill memory.
            if memory.count >= 64 { memory.removeAll() }
            memory[key] = value
        }
        return value
    }
}
