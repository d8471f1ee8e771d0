internal import Core
internal import FoundationEssentials
internal import Serving

/// A painted poster, ready to be sent.
struct Poster: Sendable {
    let body: SharedBytes
    /// Strong: it follows from the bytes.
    let etag: String
    let lastModified: Date

    init(jpeg: [UInt8], title: CatalogueTitle) {
        body = SharedBytes(jpeg)
        etag = "\"\(Digest(of: jpeg).hex.prefix(32))\""
        // 1 January 2026, and an hour on for each title: any fixed date does, as long as it stays.
        lastModified = Date(timeIntervalSince1970: 1_767_225_600 + Double(title.index % 5_000) * 3_600)
    }
}
