package import Mirroring

/// How a site is to be made, and where.
package struct SiteOptions: Sendable {
    /// The folder to publish, replaced as a whole. A symbolic link to a folder stays one; what it points to is replaced.
    package var directory: String
    /// The heading; nil takes it from the list.
    package var title: String?
    /// Where the site will be reached. Without it pages work just as well, the Atom feed's links are relative, and JSON Feed has none.
    package var baseURL: SiteAddress?
    /// How many weeks to keep pages of, this one included; at least 1.
    package var weeks = 12
    /// How many titles may lack a picture before nothing is published.
    package var maximumMissing = MissingAllowance.percent(10)
    /// Only `posters.json` and the pictures, for a site generator.
    package var isDataOnly = false
    /// The names of the pictures' files.
    package var layout = AssetLayout.byDigest
    /// Whether search engines may list the pages. The pictures, which are other people's work, they are always asked not to list.
    package var allowsIndexing = true
    /// Whether titles are marked as new, up, down or back.
    package var showsMovement = true
    /// Whose score to show where there is one; see ``Score``.
    package var score: ScoreSource?

    package init(directory: String) {
        self.directory = directory
    }
}
