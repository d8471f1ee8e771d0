package import FoundationEssentials

extension Manifest {
    /// What the API tells of a title beyond what its list says.
    package struct Details: Sendable, Codable, Equatable {
        /// When the API said so.
        package var fetchedAt: Date
        /// Of a series: an episode's. Nil when it is not known.
        package var runtimeMinutes: Int?
        package var genres: [String]
        /// Nil when they were not asked for.
        package var ratings: Ratings?
        /// Of a series its creators, or who directs it when it names none. Nil when credits were not asked for.
        package var directors: [String]?
        /// The first of it. Nil when credits were not asked for.
        package var cast: [Role]?
        /// Set when the API could not be asked anew and this older answer stands in.
        package var kept: Missing?

        package init(
            fetchedAt: Date, runtimeMinutes: Int?, genres: [String], ratings: Ratings?, directors: [String]?, cast: [Role]?,
            kept: Missing? = nil
        ) {
            self.fetchedAt = fetchedAt
            self.runtimeMinutes = runtimeMinutes
            self.genres = genres
            self.ratings = ratings
            self.directors = directors
            self.cast = cast
            self.kept = kept
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(fetchedAt, forKey: .fetchedAt)
            try container.encode(runtimeMinutes, forKey: .runtimeMinutes)
            try container.encode(genres, forKey: .genres)
            try container.encode(ratings, forKey: .ratings)
            try container.encode(directors, forKey: .directors)
            try container.encode(cast, forKey: .cast)
            try container.encodeIfPresent(kept, forKey: .kept)
        }
    }

    /// What is thought of a title, by source; nil where a source has no rating of it.
    package struct Ratings: Sendable, Codable, Equatable {
        private var bySource: [ScoreSource: Rating]

        package init(_ ratings: [ScoreSource: Rating]) {
            bySource = ratings
        }

        package subscript(source: ScoreSource) -> Rating? {
            get { bySource[source] }
            set { bySource[source] = newValue }
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: SourceKey.self)
            bySource = [:]
            for source in ScoreSource.allCases {
                bySource[source] = try container.decodeIfPresent(Rating.self, forKey: SourceKey(source))
            }
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: SourceKey.self)
            for source in ScoreSource.allCases { try container.encode(bySource[source], forKey: SourceKey(source)) }
        }
    }

    package struct Rating: Sendable, Codable, Equatable {
        /// In the source's own scale.
        package var value: Double
        /// Nil when the source does not say how many.
        package var votes: Int?

        package init(value: Double, votes: Int?) {
            self.value = value
            self.votes = votes
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(value, forKey: .value)
            try container.encode(votes, forKey: .votes)
        }
    }

    package struct Role: Sendable, Codable, Equatable {
        package var name: String
        /// Nil when it has no name.
        package var character: String?

        package init(name: String, character: String?) {
            self.name = name
            self.character = character
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try container.encode(character, forKey: .character)
        }
    }

    private struct SourceKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ source: ScoreSource) { stringValue = source.rawValue }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
