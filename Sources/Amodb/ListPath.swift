internal import Core

/// A list of the API: the path that answers pages of titles, which is also the list's name.
package struct ListPath: Sendable, Hashable, CustomStringConvertible {
    /// For instance `trending/movie/week`.
    package let path: String
    /// What people call it, for headings: `Trending movies this week`.
    package let heading: String
    /// What a result is when it does not say so itself: `movie` or `tv`; nil for lists that mix both.
    package let mediaType: String?

    package var description: String { path }

    private init(_ path: String, _ heading: String, _ mediaType: String?) {
        self.path = path
        self.heading = heading
        self.mediaType = mediaType
    }

    /// The list at `path`, or nil when the API has none there.
    package init?(_ path: String) {
        guard let known = Self.all.first(where: { $0.path == path }) else { return nil }
        self = known
    }

    package static let trendingMoviesThisWeek = ListPath("trending/movie/week", "Trending movies this week", "movie")

    /// Every list that the API documents.
    package static let all: [ListPath] = [
        trendingMoviesThisWeek,
        ListPath("trending/movie/day", "Trending movies today", "movie"),
        ListPath("trending/tv/week", "Trending series this week", "tv"),
        ListPath("trending/tv/day", "Trending series today", "tv"),
        ListPath("trending/all/week", "Trending this week", nil),
        ListPath("trending/all/day", "Trending today", nil),
        ListPath("movie/now_playing", "Movies in cinemas now", "movie"),
        ListPath("movie/popular", "Popular movies", "movie"),
        ListPath("movie/top_rated", "Top rated movies", "movie"),
        ListPath("movie/upcoming", "Upcoming movies", "movie"),
        ListPath("tv/airing_today", "Series airing today", "tv"),
        ListPath("tv/on_the_air", "Series on the air", "tv"),
        ListPath("tv/popular", "Popular series", "tv"),
        ListPath("tv/top_rated", "Top rated series", "tv"),
    ]
}
