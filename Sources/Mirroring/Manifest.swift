package import Core
package import FoundationEssentials

/// The record of a run: titles in rank order, each with its pictures or the reason why not.
///
/// Its JSON form is what reports and other people's tools read; `docs/manifest.schema.json` describes it. Every path is relative to the
/// cache directory. Fields may be added within a version, never renamed or removed.
package struct Manifest: Sendable, Decodable, Equatable {
    /// The version that this program writes, and the newest that it reads.
    package static let currentVersion = 1

    package var version = Manifest.currentVersion
    /// The run's name, which is also its file's: `20261130T062144Z-trending-movie-week`.
    package var run: String
    /// API paths, in the order asked for.
    package var lists: [String]
    package var language: String
    /// The ISO week in which the run started.
    package var week: String
    package var startedAt: Date
    package var finishedAt: Date
    /// Whether the run got through the whole list; false when it was interrupted.
    package var complete: Bool
    /// Size tokens asked for, in order.
    package var sizes: [String]
    /// What was asked for of each title beyond its list: `credits`, `ratings`. Nil when nothing was.
    package var details: [String]?
    /// Lists in order, each list's titles by rank.
    package var titles: [Title]

    package init(
        run: String, lists: [String], language: String, week: String, startedAt: Date, finishedAt: Date, complete: Bool, sizes: [String],
        details: [String]? = nil, titles: [Title]
    ) {
        self.run = run
        self.lists = lists
        self.language = language
        self.week = week
        self.startedAt = startedAt
        self.finishedAt = finishedAt
        self.complete = complete
        self.sizes = sizes
        self.details = details
        self.titles = titles
    }
}

extension Manifest {
    /// One movie or series in a list.
    package struct Title: Sendable, Decodable, Equatable {
        /// Place in its list, from 1.
        package var rank: Int
        /// The list that it stands in.
        package var list: String
        package var id: Int
        /// `movie` or `tv`.
        package var mediaType: String
        package var title: String
        /// Nil when the API gives no date.
        package var year: Int?
        /// 0 to 10; nil when nobody has voted.
        package var score: Double?
        /// Nil when the API names no poster.
        package var poster: Poster?
        /// Nil when every size asked for is there.
        package var missing: Missing?
        /// Nil when they were not asked for, or could not be had.
        package var details: Details?
        /// Why details that were asked for could not be had.
        package var detailsMissing: Missing?

        package init(
            rank: Int, list: String, id: Int, mediaType: String, title: String, year: Int?, score: Double?, poster: Poster?,
            missing: Missing?, details: Details? = nil, detailsMissing: Missing? = nil
        ) {
            self.rank = rank
            self.list = list
            self.id = id
            self.mediaType = mediaType
            self.title = title
            self.year = year
            self.score = score
            self.poster = poster
            self.missing = missing
            self.details = details
            self.detailsMissing = detailsMissing
        }
    }

    /// The pictures of one title.
    package struct Poster: Sendable, Decodable, Equatable {
        /// The API's `poster_path`.
        package var path: String
        /// The dominant colour as `#rrggbb`; nil while there is no picture.
        package var colour: String?
        /// A tiny picture as a `data:` URI of at most 300 bytes; nil while there is no picture.
        package var placeholder: String?
        /// By size token. A size that could not be had is not in it.
        package var sizes: [String: Size]

        package init(path: String, colour: String?, placeholder: String?, sizes: [String: Size]) {
            self.path = path
            self.colour = colour
            self.placeholder = placeholder
            self.sizes = sizes
        }
    }

    /// What there is of a poster in one size.
    package struct Size: Sendable, Decodable, Equatable {
        /// Nil for a size whose renditions were derived from another size's original.
        package var original: Original?
        /// The size whose original the renditions were made from, when it is another one.
        package var derivedFrom: String?
        package var renditions: [Rendition]

        package init(original: Original?, derivedFrom: String? = nil, renditions: [Rendition]) {
            self.original = original
            self.derivedFrom = derivedFrom
            self.renditions = renditions
        }
    }

    /// A poster as the host served it.
    package struct Original: Sendable, Decodable, Equatable {
        package var url: String
        package var path: String
        package var digest: Digest
        package var bytes: Int
        package var width: Int
        package var height: Int
        package var mediaType: String
        /// The validators and freshness that the host gave, kept so that the index can be rebuilt from manifests.
        package var etag: String?
        package var lastModified: String?
        package var fetchedAt: Date
        package var freshUntil: Date
        /// Set when the host's present picture could not be had and this earlier copy was kept.
        package var kept: Missing?

        package init(
            url: String, path: String, digest: Digest, bytes: Int, width: Int, height: Int, mediaType: String, etag: String?,
            lastModified: String?, fetchedAt: Date, freshUntil: Date, kept: Missing? = nil
        ) {
            self.url = url
            self.path = path
            self.digest = digest
            self.bytes = bytes
            self.width = width
            self.height = height
            self.mediaType = mediaType
            self.etag = etag
            self.lastModified = lastModified
            self.fetchedAt = fetchedAt
            self.freshUntil = freshUntil
            self.kept = kept
        }
    }

    /// What a recipe made of an original.
    package struct Rendition: Sendable, Decodable, Equatable {
        /// The recipe's canonical text.
        package var recipe: String
        package var path: String
        package var digest: Digest
        package var bytes: Int
        package var width: Int
        package var height: Int
        package var mediaType: String

        package init(recipe: String, path: String, digest: Digest, bytes: Int, width: Int, height: Int, mediaType: String) {
            self.recipe = recipe
            self.path = path
            self.digest = digest
            self.bytes = bytes
            self.width = width
            self.height = height
            self.mediaType = mediaType
        }
    }

    /// Why something is not there.
    package struct Missing: Sendable, Codable, Equatable {
        package var reason: Reason
        /// One sentence for a person.
        package var detail: String
        /// For a title: each size that is missing, and why.
        package var sizes: [String: Missing]?

        package init(reason: Reason, detail: String, sizes: [String: Missing]? = nil) {
            self.reason = reason
            self.detail = detail
            self.sizes = sizes
        }
    }
}
