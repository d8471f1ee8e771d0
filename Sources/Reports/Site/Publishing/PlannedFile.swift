internal import Core

/// A file that a site is to consist of.
struct PlannedFile: Sendable {
    enum Source: Sendable {
        case bytes([UInt8])
        /// An object of the cache, by its absolute path.
        case object(String)
        /// A file that the published folder has already.
        case published
    }

    /// Relative to the site's folder.
    let path: String
    let entry: SiteRecord.Entry
    let source: Source

    init(path: String, bytes: [UInt8]) {
        self.path = path
        entry = SiteRecord.Entry(digest: Digest(of: bytes), bytes: bytes.count)
        source = .bytes(bytes)
    }

    init(path: String, entry: SiteRecord.Entry, source: Source) {
        self.path = path
        self.entry = entry
        self.source = source
    }
}
