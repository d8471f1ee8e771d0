internal import Amodb
internal import Core
internal import FoundationEssentials
internal import Transfer

/// How it went with the details of one title.
enum DetailsOutcome: Sendable, Equatable {
    /// What is kept is not a week old; the API was not asked.
    case fresh(Manifest.Details)
    case fetched(Manifest.Details)
    /// The API could not be asked, or would not say; an older answer stands in.
    case kept(Manifest.Details)
    case missing(Manifest.Missing)

    /// - Parameter kept: what is known of the title, however old.
    static func failed(_ why: Manifest.Missing, kept: AmodbClient.DatedDetails?) -> DetailsOutcome {
        kept.map { .kept(Manifest.Details($0, kept: why)) } ?? .missing(why)
    }

    var details: Manifest.Details? {
        switch self {
        case .fresh(let details), .fetched(let details), .kept(let details): details
        case .missing: nil
        }
    }

    /// Why the API's present answer could not be had; nil when all is well.
    var failure: Manifest.Missing? {
        switch self {
        case .fresh, .fetched: nil
        case .kept(let details): details.kept
        case .missing(let why): why
        }
    }

    var missing: Manifest.Missing? {
        if case .missing(let why) = self { why } else { nil }
    }
}

extension Manifest.Details {
    init(_ dated: AmodbClient.DatedDetails, kept: Manifest.Missing? = nil) {
        let details = dated.details
        self.init(
            fetchedAt: dated.fetchedAt, runtimeMinutes: details.runtimeMinutes, genres: details.genres,
            ratings: details.ratings.map { Manifest.Ratings($0) }, directors: details.directors,
            cast: details.cast?.map { Manifest.Role(name: $0.name, character: $0.character) }, kept: kept)
    }
}

extension Manifest.Ratings {
    fileprivate init(_ ratings: TitleDetails.Ratings) {
        let found: [(ScoreSource, TitleDetails.Rating?)] = [
            (.imdb, ratings.imdb), (.kinopoisk, ratings.kinopoisk), (.metacritic, ratings.metacritic),
            (.rottenTomatoes, ratings.rottenTomatoes), (.tmdb, ratings.tmdb),
        ]
        self.init([:])
        for (source, rating) in found { self[source] = rating.map { Manifest.Rating(value: $0.value, votes: $0.votes) } }
    }
}

extension Manifest.Missing {
    /// Why the API did not tell.
    init(_ error: AmodbError) {
        let reason: Reason =
            switch error.code {
            case .keyMissing: .noKey
            case .badAnswer: .badAnswer
            case .keyRefused, .planExpired, .rateLimited, .listNotFound, .titleNotFound, .refused:
                error.status.map { .status($0) } ?? .badResponse
            case .unreachable: error.cause?.reason ?? .badResponse
            }
        self.init(reason: reason, detail: error.detail)
    }
}
