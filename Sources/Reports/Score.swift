internal import Mirroring

/// The score that a title is shown with, in its own scale, and whose it is.
struct Score: Sendable, Equatable {
    /// Where a title has no score by the source that was asked for. Those of the same scale come first, so that numbers side by side can be
    /// compared.
    private static let order: [ScoreSource] = [.imdb, .tmdb, .kinopoisk, .rottenTomatoes, .metacritic]

    /// Nil for the score that the list itself gives.
    let source: ScoreSource?
    let value: Double

    /// - Parameters:
    ///   - title: with numbers in the ranges that make sense (``Mirroring/Manifest/vetted``).
    ///   - preferred: whose score to show where there is one.
    init?(of title: Manifest.Title, preferring preferred: ScoreSource?) {
        for source in [preferred].compactMap(\.self) + Self.order {
            guard let rating = title.details?.ratings?[source] else { continue }
            (self.source, value) = (source, rating.value)
            return
        }
        guard let score = title.score else { return nil }
        (source, value) = (nil, score)
    }

    var scale: Int { Int(source?.scale ?? 10) }

    /// `7.9`, `87 %`, `74`.
    var number: String { source?.text(value) ?? ScoreSource.oneDecimal(value) }

    /// In a line with little room: `IMDb`, `RT`. A star where it is the list's own.
    var mark: String {
        switch source {
        case nil: "★"
        case .rottenTomatoes: "RT"
        case let source?: source.name
        }
    }

    /// `IMDb 7.9`, `RT 87 %`, `★ 7.8`.
    var text: String { "\(mark) \(number)" }
}
