internal import Core

/// What the API tells of one title beyond what a list says, as much of it as is kept.
///
/// Read as leniently as a list: a field that makes no sense is as good as missing, and never costs the others. Its coded form is what is
/// kept between runs: an answer with a film's whole crew has hundreds of kilobytes, this has one.
package struct TitleDetails: Sendable, Hashable, Codable {
    package struct Rating: Sendable, Hashable, Codable {
        /// In the source's own scale, from 0.
        package let value: Double
        /// Nil when the source does not say how many.
        package let votes: Int?
    }

    /// By source; nil where a source has none.
    package struct Ratings: Sendable, Hashable, Codable {
        package var imdb: Rating?
        package var kinopoisk: Rating?
        package var metacritic: Rating?
        package var rottenTomatoes: Rating?
        package var tmdb: Rating?
    }

    package struct Role: Sendable, Hashable, Codable {
        package let name: String
        /// Nil when it has no name.
        package let character: String?
    }

    /// Of a series: an episode's.
    package var runtimeMinutes: Int?
    /// In the language asked for, at most five.
    package var genres: [String]
    /// Nil when they were not asked for.
    package var ratings: Ratings?
    /// At most three; of a series its creators, or who directs it when it names none. Nil when credits were not asked for.
    package var directors: [String]?
    /// The first five. Nil when credits were not asked for.
    package var cast: [Role]?

    /// - Parameters:
    ///   - body: JSON, at most a few megabytes.
    ///   - title: what it has to be about.
    /// - Throws: ``AmodbError/Code/badAnswer`` when this is not about that title at all.
    package init(json body: [UInt8], of title: TitleID, parts: [DetailPart]) throws(AmodbError) {
        let answer: DetailsAnswer
        do {
            answer = try JSONText.decode(DetailsAnswer.self, from: body)
        } catch {
            throw AmodbError(.badAnswer, "the answer is not a title's: \(AmodbError.fault(error, in: body))")
        }
        guard answer.id == title.id else { throw AmodbError(.badAnswer, "the answer is about another title") }
        runtimeMinutes = answer.runtimeMinutes
        genres = answer.genres
        ratings = parts.contains(.ratings) ? answer.ratings ?? Ratings() : nil
        directors = parts.contains(.credits) ? answer.directors(isSeries: title.mediaType == "tv") : nil
        cast = parts.contains(.credits) ? answer.cast : nil
    }

    /// These details without what `parts` does not name.
    package func only(_ parts: [DetailPart]) -> TitleDetails {
        var details = self
        if !parts.contains(.ratings) { details.ratings = nil }
        if !parts.contains(.credits) { (details.directors, details.cast) = (nil, nil) }
        return details
    }
}
