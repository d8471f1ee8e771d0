internal import Core

/// What a published folder knows about itself: that it is ours, and what every file in it should hold.
struct SiteRecord: Sendable, Codable, Equatable {
    static let fileName = ".posterity-site"
    static let currentVersion = 1

    struct Entry: Sendable, Codable, Hashable {
        var digest: Digest
        var bytes: Int
    }

    var version = SiteRecord.currentVersion
    /// By path, relative to the folder; this record's own file is not among them.
    var files: [String: Entry] = [:]
    /// Stands for all that the contact sheet was made from.
    var sheetKey: Digest?
    /// Stands for all that the site was made from; nil when that was not told, or something was lost that may come back.
    var inputs: Digest?
}
