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

    /// `value` as this source writes it: `7.9`, `87 %`, `74`.
    package func text(_ value: Double) -> String {
        switch self {
        case .imdb, .kinopoisk, .tmdb: Self.oneDecimal(value)
        case .metacritic: String(Int(value.rounded()))
        case .rottenTomatoes: "\(Int(value.rounded()))\u{A0}%"
        }
    }

    /// `7.9`, of a number between 0 and 10.
    package static func oneDecimal(_ score: Double) -> String {
        let tenths = Int((score * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
