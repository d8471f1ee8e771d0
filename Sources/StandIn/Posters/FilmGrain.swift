/// The grain of film: without it a painted poster would be too smooth, and its JPEG a third of what a photograph's weighs.
enum FilmGrain {
    /// Brightens and darkens pixels at random.
    ///
    /// - Parameters:
    ///   - rgba: four bytes a pixel, opaque.
    ///   - strength: how far, of 255, a pixel is moved at most.
    static func add(to rgba: inout [UInt8], strength: Int, seed: UInt64) {
        var state = StableRandom.mix(seed) | 1
        // Spelt out, on a bare pointer: tests paint hundreds of posters in builds without optimisation.
        rgba.withUnsafeMutableBufferPointer { bytes in
            guard let part = bytes.baseAddress else { return }
            var pixel = 0
            while pixel < bytes.count {
                // Xorshift: quick, and good enough for grain.
                state ^= state &<< 13
                state ^= state &>> 7
                state ^= state &<< 17
                // The sum of two even spreads has more small steps than large ones, as grain has.
                let sum = Int(state & 0xFF) + Int(state &>> 8 & 0xFF) - 255
                let step = sum * strength / 255
                let end = pixel + 3
                var next = pixel
                while next < end {
                    let value = Int(part[next]) + step
                    part[next] = value < 0 ? 0 : value > 255 ? 255 : UInt8(value)
                    next += 1
                }
                pixel += 4
            }
        }
    }
}
