internal import Core
internal import FoundationEssentials
internal import Glibc

/// Says which pictures can be published: those whose bytes are what their name says, in the published folder or in the cache.
final class PictureSource {
    private let cacheRoot: String
    private var known: [SiteRecord.Entry: Bool] = [:]
    /// Their sizes in bytes: a manifest that gives another for the same digest is not to be believed.
    private let published: [Digest: Int]

    init(cacheRoot: String, published folder: PublishedFolder) {
        self.cacheRoot = cacheRoot
        let intact = (folder.record?.files ?? [:]).filter { folder.isIntact($0.key) }.values
        published = Dictionary(intact.map { ($0.digest, $0.bytes) }, uniquingKeysWith: { first, _ in first })
    }

    func isAvailable(_ picture: SitePicture) -> Bool {
        let entry = SiteRecord.Entry(digest: picture.digest, bytes: picture.byteCount)
        if let known = known[entry] { return known }
        let isAvailable = published[picture.digest] == picture.byteCount || bytes(of: picture) != nil
        known[entry] = isAvailable
        return isAvailable
    }

    /// Absolute; nil for a path that leads out of the cache.
    func path(of picture: SitePicture) -> String? {
        Self.path(of: picture, in: cacheRoot)
    }

    /// The picture's bytes, if they are what its digest says.
    static func verifiedBytes(at path: String, _ entry: SiteRecord.Entry) -> [UInt8]? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_size == entry.bytes, let data = FileManager.default.contents(atPath: path) else {
            return nil
        }
        let bytes = [UInt8](data)
        return Digest(of: bytes) == entry.digest ? bytes : nil
    }

    // MARK: - Private

    private func bytes(of picture: SitePicture) -> [UInt8]? {
        path(of: picture).flatMap { Self.verifiedBytes(at: $0, SiteRecord.Entry(digest: picture.digest, bytes: picture.byteCount)) }
    }

    private static func path(of picture: SitePicture, in root: String) -> String? {
        let parts = picture.cachePath.split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.contains(where: { $0.isEmpty || $0 == ".." }) else { return nil }
        return root + "/" + picture.cachePath
    }
}
