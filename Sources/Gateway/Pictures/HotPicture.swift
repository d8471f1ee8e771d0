internal import Core
internal import Serving
internal import Storage

/// A picture of the cache whose file is open, and the response that was last made of it.
final class HotPicture: Sendable {
    /// For how long a client may use a picture without asking; its path never gets another one. The API's image host says the same.
    private static let lifetime = 30 * 86_400
    /// How often it is looked whether the object is still where it was.
    private static let interval = Duration.seconds(2)

    let file: SharedFile
    let etag: String
    private let path: String
    private let mediaType: String
    private let lookedAt = Mutex(ContinuousClock.now)
    private let ready = Mutex<(origin: AllowedOrigin?, isPrivate: Bool, response: PreparedResponse)?>(nil)

    /// - Throws: `SharedFileError` when the object is gone.
    init(_ picture: StoredPicture, in cache: Cache) throws(SharedFileError) {
        path = "\(cache.root)/\(picture.path)"
        file = try SharedFile(path: path)
        guard file.count == picture.byteCount else { throw SharedFileError(wrongLength: path) }
        etag = "\"\(picture.digest.hex)\""
        mediaType = picture.mediaType
    }

    /// Whether it may still be served: nobody has written to the object, and, which is looked at every few seconds, it was not taken
    /// away (as `posterity verify --repair` does with damaged ones) nor replaced.
    func isGood(now: ContinuousClock.Instant = .now) -> Bool {
        let isDue = lookedAt.withLock { lookedAt in
            guard now - lookedAt >= Self.interval else { return false }
            lookedAt = now
            return true
        }
        return isDue ? file.isStill(at: path) : file.isUnchanged
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
