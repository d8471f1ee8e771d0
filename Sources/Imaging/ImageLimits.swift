/// How large a picture may be, by its header, before anything of it is decoded.
package struct ImageLimits: Sendable, Hashable {
    package var maximumPixels: Int
    /// Pixels along either side.
    package var maximumSide: Int
    /// Frames of an animation; only the first is ever drawn, but an absurd count is a sign of attack.
    package var maximumFrames: Int

    package init(maximumPixels: Int, maximumSide: Int, maximumFrames: Int) {
        self.maximumPixels = maximumPixels
        self.maximumSide = maximumSide
        self.maximumFrames = maximumFrames
    }

    /// 50 million pixels, 16 384 along a side, 1 000 frames: twice the largest posters that film sites hold (4 000 × 6 000).
    package static let standard = ImageLimits(maximumPixels: 50_000_000, maximumSide: 16_384, maximumFrames: 1_000)
}

extension ImageLimits {
    /// Real progressive JPEGs have some ten scans. Each is a pass over the whole picture, and a file of some kilobytes can have hundreds.
    static let maximumScans = 100

    /// - Throws: what is wrong with a picture of this size, in pixels.
    func check(width: Int, height: Int, frames: Int) throws(LibVips.Failure) {
        guard width > 0, height > 0 else { throw .known(ImagingError(.damagedImage, "the picture has no pixels (\(width) × \(height))")) }
        guard width <= maximumSide, height <= maximumSide, width * height <= maximumPixels else {
            throw .known(
                ImagingError(
                    .tooManyPixels,
                    "it has \(width) × \(height) pixels; at most \(maximumPixels) in all and \(maximumSide) along a side are let in"))
        }
        guard frames <= maximumFrames else {
            throw .known(ImagingError(.tooManyPixels, "it is an animation of \(frames) frames; at most \(maximumFrames) are let in"))
        }
    }
}
