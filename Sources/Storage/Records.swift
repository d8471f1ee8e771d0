package import Core
package import FoundationEssentials

/// An object of the cache that is a picture, and what is known of it.
package struct StoredPicture: Sendable, Hashable {
    package var digest: Digest
    /// Relative to the cache: `objects/<ab>/<digest>.<ext>`.
    package var path: String
    package var byteCount: Int
    package var widthPixels: Int
    package var heightPixels: Int
    package var mediaType: String

    package init(digest: Digest, path: String, byteCount: Int, widthPixels: Int, heightPixels: Int, mediaType: String) {
        self.digest = digest
        self.path = path
        self.byteCount = byteCount
        self.widthPixels = widthPixels
        self.heightPixels = heightPixels
        self.mediaType = mediaType
    }
}

/// What a URL's picture is, as of the last good answer. Times are kept to the millisecond.
package struct SourceRecord: Sendable, Equatable {
    package var url: String
    package var picture: StoredPicture
    package var etag: String?
    package var lastModified: String?
    package var fetchedAt: Date
    package var freshUntil: Date
    package var colour: String?
    package var placeholder: String?
    /// By the recipe's canonical text.
    package var renditions: [String: StoredPicture]

    package init(
        url: String, picture: StoredPicture, etag: String?, lastModified: String?, fetchedAt: Date, freshUntil: Date, colour: String?,
        placeholder: String?, renditions: [String: StoredPicture]
    ) {
        self.url = url
        self.picture = picture
        self.etag = etag
        self.lastModified = lastModified
        self.fetchedAt = fetchedAt
        self.freshUntil = freshUntil
        self.colour = colour
        self.placeholder = placeholder
        self.renditions = renditions
    }
}

/// A picture that is stored already, under whatever URL, with all that was derived from it.
package struct KnownPicture: Sendable, Equatable {
    package var picture: StoredPicture
    package var colour: String?
    package var placeholder: String?
    package var renditions: [String: StoredPicture]
}

/// Why the last attempt at a URL failed.
package struct FailureRecord: Sendable, Equatable {
    package var url: String
    package var reason: Reason
    package var detail: String
    package var at: Date

    package init(url: String, reason: Reason, detail: String, at: Date) {
        self.url = url
        self.reason = reason
        self.detail = detail
        self.at = at
    }
}

/// An answer of the API, kept under its URL (which must not have the key in it).
package struct StoredAnswer: Sendable, Equatable {
    package var url: String
    package var body: [UInt8]
    package var fetchedAt: Date

    package init(url: String, body: [UInt8], fetchedAt: Date) {
        self.url = url
        self.body = body
        self.fetchedAt = fetchedAt
    }
}

/// A whole answer of the API as it came, kept for others under its URL (which must not have the key in it). Times are kept to the millisecond.
package struct StoredResponse: Sendable, Equatable {
    package var url: String
    package var status: Int
    /// As the API named it; nil when it named none.
    package var mediaType: String?
    package var body: [UInt8]
    package var fetchedAt: Date
    package var freshUntil: Date

    package init(url: String, status: Int, mediaType: String?, body: [UInt8], fetchedAt: Date, freshUntil: Date) {
        (self.url, self.status, self.mediaType, self.body) = (url, status, mediaType, body)
        (self.fetchedAt, self.freshUntil) = (fetchedAt, freshUntil)
    }
}

/// How many responses are kept: the oldest go when there are more, or larger ones.
package struct ResponseBounds: Sendable, Equatable {
    package var count: Int
    package var bytes: ByteCount

    package init(count: Int, bytes: ByteCount) {
        self.count = count
        self.bytes = bytes
    }
}
