/// One movie or series, as a list names it.
package struct Title: Sendable, Hashable {
    /// Unique among titles of the same ``mediaType``.
    package let id: Int
    /// `movie` or `tv`.
    package let mediaType: String
    package let title: String
    /// Nil when there is no date, or none that makes sense.
    package let year: Int?
    /// 0 to 10; nil when nobody has voted.
    package let score: Double?
    /// As the API gives it; nil when there is no poster. May be hostile: only ``Transfer/WebAddress/appending(path:)`` makes a URL of it.
    package let posterPath: String?

    package init(id: Int, mediaType: String, title: String, year: Int?, score: Double?, posterPath: String?) {
        self.id = id
        self.mediaType = mediaType
        self.title = title
        self.year = year
        self.score = score
        self.posterPath = posterPath
    }
}
