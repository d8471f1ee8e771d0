package import FoundationEssentials

/// Bytes of a picture that were verified and are to be stored.
package struct NewPicture: Sendable {
    package var bytes: [UInt8]
    /// From the bytes' format, without the dot: `jpg`.
    package var fileExtension: String
    package var mediaType: String
    package var widthPixels: Int
    package var heightPixels: Int

    package init(bytes: [UInt8], fileExtension: String, mediaType: String, widthPixels: Int, heightPixels: Int) {
        self.bytes = bytes
        self.fileExtension = fileExtension
        self.mediaType = mediaType
        self.widthPixels = widthPixels
        self.heightPixels = heightPixels
    }
}

/// What a recipe made of an original.
package struct NewRendition: Sendable {
    /// The recipe's canonical text.
    package var recipe: String
    package var picture: NewPicture

    package init(recipe: String, picture: NewPicture) {
        self.recipe = recipe
        self.picture = picture
    }
}

/// What a URL answered, and what was made of it.
package struct NewSource: Sendable {
    package enum Original: Sendable {
        case new(NewPicture)
        /// The picture is stored already; only validators, freshness or renditions are new.
        case stored(StoredPicture)
    }

    package var url: String
    package var original: Original
    package var etag: String?
    package var lastModified: String?
    package var fetchedAt: Date
    package var freshUntil: Date
    /// Nil keeps what is known of this picture.
    package var colour: String?
    /// Nil keeps what is known of this picture.
    package var placeholder: String?
    /// Added to those that the picture has.
    package var renditions: [NewRendition]

    package init(
        url: String, original: Original, etag: String?, lastModified: String?, fetchedAt: Date, freshUntil: Date, colour: String? = nil,
        placeholder: String? = nil, renditions: [NewRendition] = []
    ) {
        self.url = url
        self.original = original
        self.etag = etag
        self.lastModified = lastModified
        self.fetchedAt = fetchedAt
        self.freshUntil = freshUntil
        self.colour = colour
        self.placeholder = placeholder
        self.renditions = renditions
    }
}
