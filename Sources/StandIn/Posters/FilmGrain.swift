/// The grain of film: without it a painted poster would be too smooth, and its JPEG a third of what a photograph's weighs.
enum FilmGrain {
    /// Brightens and darkens pixels at random.
    ///
    /// - Parameters:
    ///   - rgba: four bytes a pixel, opaque.
    ///   - strength: how far, of 255, a pixel is moved at most.
    static func add(to rgba: inout [UInt8], strength: Int32, seed: UInt64) {
        var state = StableRandom.mix(seed) | 1
        rgba.withUnsafeMutableBytes { bytes in
            for pixel in stride(from: 0, to: bytes.count, by: 4) {
                // Xorshift: quick, and good enough for grain.
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                // The sum of two even spreads has more small steps than large ones, as grain has.
                let sum = Int32(truncatingIfNeeded: state & 0xFF) + Int32(truncatingIfNeeded: state >> 8 & 0xFF) - 255
                let step = sum * strength / 255
                for part in 0..<3 {
                    bytes[pixel + part] = UInt8(clamping: Int32(bytes[pixel + part]) + step)
                }
            }
        }
    }
}
