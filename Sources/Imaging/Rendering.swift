/// What an original's header says.
package struct PictureHeader: Sendable, Hashable {
    package let format: ImageFormat
    /// As displayed, after the EXIF orientation is applied.
    package let widthPixels: Int
    package let heightPixels: Int

    package init(format: ImageFormat, widthPixels: Int, heightPixels: Int) {
        self.format = format
        self.widthPixels = widthPixels
        self.heightPixels = heightPixels
    }
}

/// What one recipe made of an original.
package struct RenderedImage: Sendable, Hashable {
    package let recipe: Recipe
    package let bytes: [UInt8]
    package let format: ImageFormat
    package let widthPixels: Int
    package let heightPixels: Int
}

/// All that came of one original, from a single decode.
package struct Rendering: Sendable, Hashable {
    package let header: PictureHeader
    /// The dominant colour as `#rrggbb`.
    package let colour: String
    /// A tiny picture as a data URI of at most 300 bytes, to show while the real one loads.
    package let placeholder: String
    /// In the order of the recipes.
    package let images: [RenderedImage]
}
