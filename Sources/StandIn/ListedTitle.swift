/// A title as the stand-in lists it: what a test may expect to find again.
package struct ListedTitle: Sendable, Hashable {
    package let id: Int
    /// `movie` or `tv`.
    package let mediaType: String
    package let title: String
    /// Empty or nil as in the answer.
    package let date: String?
    package let voteAverage: Double
    /// Empty or nil as in the answer.
    package let posterPath: String?

    init(_ title: CatalogueTitle, in tongue: Tongue) {
        id = title.id
        mediaType = title.kind.rawValue
        self.title = title.title(in: tongue)
        date = title.date
        voteAverage = title.voteAverage
        posterPath = title.posterPath
    }
}
