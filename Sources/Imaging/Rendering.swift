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

    init(header: PictureHeader, colour: String, placeholder: String, images: [RenderedImage]) {
        self.header = header
        self.colour = colour
        self.placeholder = placeholder
        self.images = images
    }
}

extension Rendering {
    /// Makes of `original` all that it was decoded for.
    init(of original: Original, recipes: [Recipe], masks: CornerMasks) throws(LibVips.Failure) {
        var images: [RenderedImage] = []
        for recipe in recipes { images.append(try original.render(recipe, masks: masks)) }
        let summary = try Summary(of: original)
        self.init(header: original.header, colour: summary.colour, placeholder: summary.placeholder, images: images)
    }
}
