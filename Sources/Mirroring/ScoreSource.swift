/// Who gives a score.
package enum ScoreSource: String, Sendable, Codable, Hashable, CaseIterable {
    case imdb, kinopoisk, metacritic
    case rottenTomatoes = "rotten_tomatoes"
    case tmdb

    /// As people know it.
    package var name: String {
        switch self {
        case .imdb: "IMDb"
        case .kinopoisk: "Kinopoisk"
        case .metacritic: "Metacritic"
        case .rottenTomatoes: "Rotten Tomatoes"
        case .tmdb: "TMDB"
        }
    }

    /// The best that it gives; the worst is 0.
    package var scale: Double {
        switch self {
        case .imdb, .kinopoisk, .tmdb: 10
        case .metacritic, .rottenTomatoes: 100
        }
    }
}
