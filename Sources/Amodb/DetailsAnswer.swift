/// The JSON of `movie/{id}` or `tv/{id}`, in which every field but `id` may be missing or of a wrong type.
///
/// Shape: `{id, runtime or episode_run_time, genres: [{name}], created_by: [{name}], credits: {cast: [{name, character, order}], crew:
/// [{name, job}]}, ratings: {imdb, kinopoisk, metacritic, rotten_tomatoes, tmdb}}`. Source: the API's documentation, whose paths are TMDB v3's.
struct DetailsAnswer: Decodable {
    private static let mostGenres = 5
    private static let mostDirectors = 3
    private static let mostRoles = 5
    /// The longest films run for days; no series has an episode as long.
    private static let runtimes = 1.0...6_000

    let id: Int
    let runtimeMinutes: Int?
    let genres: [String]
    let ratings: TitleDetails.Ratings?
    private let creators: [String]
    private let credits: Credits?

    private enum CodingKeys: String, CodingKey {
        case id, runtime, genres, credits, ratings
        case episodeRunTime = "episode_run_time"
        case createdBy = "created_by"
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.decode(Int.self, forKey: .id)
        let runtimes = [fields.lenientNumber(.runtime)].compactMap(\.self) + (fields.lenient([Double].self, .episodeRunTime) ?? [])
        runtimeMinutes = runtimes.first { Self.runtimes.contains($0) }.map { Int($0) }
        genres = Self.names(fields.lenient([Named].self, .genres), atMost: Self.mostGenres)
        creators = Self.names(fields.lenient([Named].self, .createdBy), atMost: Self.mostDirectors)
        credits = fields.lenient(Credits.self, .credits)
        ratings = fields.lenient(RatingsAnswer.self, .ratings)?.ratings
    }

    func directors(isSeries: Bool) -> [String] {
        if isSeries, !creators.isEmpty { return creators }
        let crew = credits?.crew ?? []
        for job in isSeries ? ["Creator", "Director"] : ["Director"] {
            let names = Self.names(crew.filter { $0.job == job }, atMost: Self.mostDirectors)
            if !names.isEmpty { return names }
        }
        return []
    }

    /// In the order that the API gives them, which counts when they are not in it.
    var cast: [TitleDetails.Role] {
        let cast = (credits?.cast ?? []).enumerated().sorted {
            ($0.element.order ?? .max, $0.offset) < ($1.element.order ?? .max, $1.offset)
        }
        return cast.lazy.compactMap { _, person in
            person.name.map { TitleDetails.Role(name: $0, character: person.character) }
        }.prefix(Self.mostRoles).map(\.self)
    }

    private static func names(_ people: [Named]?, atMost limit: Int) -> [String] {
        var names: [String] = []
        for name in (people ?? []).lazy.compactMap(\.name) where !names.contains(name) {
            names.append(name)
            if names.count == limit { break }
        }
        return names
    }
}

private struct Credits: Decodable {
    let cast: [Named]?
    let crew: [Named]?

    private enum CodingKeys: String, CodingKey {
        case cast, crew
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        cast = fields.lenient([Named].self, .cast)
        crew = fields.lenient([Named].self, .crew)
    }
}

/// A person or a genre.
private struct Named: Decodable {
    private(set) var name: String?
    private(set) var character: String?
    private(set) var job: String?
    private(set) var order: Int?

    private enum CodingKeys: String, CodingKey {
        case name, character, job, order
    }

    init(from decoder: any Decoder) {
        // An element that is no object at all has no container, and ends without a name.
        guard let fields = try? decoder.container(keyedBy: CodingKeys.self) else { return }
        name = fields.lenient(String.self, .name)?.cleaned.nonEmpty
        character = fields.lenient(String.self, .character)?.cleaned.nonEmpty
        job = fields.lenient(String.self, .job)
        order = fields.lenient(Int.self, .order)
    }
}

private struct RatingsAnswer: Decodable {
    let ratings: TitleDetails.Ratings

    private enum CodingKeys: String, CodingKey {
        case imdb, kinopoisk, metacritic, tmdb
        case rottenTomatoes = "rotten_tomatoes"
    }

    private enum RatingKeys: String, CodingKey {
        case value, votes
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func rating(_ key: CodingKeys, upTo scale: Double) -> TitleDetails.Rating? {
            guard let rating = try? fields.nestedContainer(keyedBy: RatingKeys.self, forKey: key), let value = rating.lenientNumber(.value),
                (0...scale).contains(value)
            else { return nil }
            let votes = rating.lenient(Int.self, .votes).flatMap { $0 >= 0 ? $0 : nil }
            // Nobody has voted: the nought says nothing.
            if value == 0, votes ?? 0 == 0 { return nil }
            return TitleDetails.Rating(value: value, votes: votes)
        }
        ratings = TitleDetails.Ratings(
            imdb: rating(.imdb, upTo: 10), kinopoisk: rating(.kinopoisk, upTo: 10), metacritic: rating(.metacritic, upTo: 100),
            rottenTomatoes: rating(.rottenTomatoes, upTo: 100), tmdb: rating(.tmdb, upTo: 10))
    }
}
