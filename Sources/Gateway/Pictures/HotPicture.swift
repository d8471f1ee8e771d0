internal import Core
internal import Serving
internal import Storage

/// A picture of the cache whose file is open, and the response that was last made of it.
final class HotPicture: Sendable {
    /// For how long a client may use a picture without asking; its path never gets another one. The API's image host says the same.
    private static let lifetime = 30 * 86_400

    let file: SharedFile
    let etag: String
    private let mediaType: String
    private let ready = Mutex<(origin: AllowedOrigin?, isPrivate: Bool, response: PreparedResponse)?>(nil)

    /// - Throws: `SharedFileError` when the object is gone.
    init(_ picture: StoredPicture, in cache: Cache) throws(SharedFileError) {
        file = try SharedFile(path: "\(cache.root)/\(picture.path)")
        etag = "\"\(picture.digest.hex)\""
        mediaType = picture.mediaType
    }

    /// The whole response, ready to be sent.
    func prepared(origin: AllowedOrigin?, isPrivate: Bool) -> PreparedResponse {
        let made = ready.withLock { ready in ready.flatMap { $0.origin == origin && $0.isPrivate == isPrivate ? $0.response : nil } }
        if let made { return made }
        let response = PreparedResponse(ServerResponse(status: 200, headers: headers(origin: origin, isPrivate: isPrivate), file: file))
        ready.withLock { $0 = (origin, isPrivate, response) }
        return response
    }

    /// - Parameter isPrivate: whether only the client itself may keep it, and no cache in between.
    func headers(origin: AllowedOrigin?, isPrivate: Bool) -> [(name: String, value: String)] {
        [
            ("Content-Type", mediaType), ("Cache-Control", "\(isPrivate ? "private" : "public"), max-age=\(Self.lifetime), immutable"),
            ("ETag", etag), ("Accept-Ranges", "bytes"), ("X-Content-Type-Options", "nosniff"),
        ] + (origin?.headers ?? [])
    }
}
