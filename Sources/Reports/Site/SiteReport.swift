package import Core

/// What publishing a site came to.
package struct SiteReport: Sendable, Equatable {
    /// The folder, as it was given.
    package var directory: String
    package var filesWritten = 0
    package var bytesWritten = ByteCount(0)
    /// Files that were right already.
    package var filesKept = 0
    package var bytesKept = ByteCount(0)
    package var titles = 0
    package var missing = 0
    package var weeks = 0
    /// What the manifest names and the cache could not give, a title each.
    package var lost: [LostPictures] = []

    /// Whether the folder was as it should be and was not touched.
    package var isUnchanged: Bool { filesWritten == 0 }
}
