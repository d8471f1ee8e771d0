package import Core
package import FoundationEssentials

/// All that a cache knows of one poster: the runs that it is in, each picture with its last answer, and why there is none.
package struct PosterStory: Sendable, Encodable, Equatable {
    package struct Title: Sendable, Encodable, Hashable {
        package let mediaType: String
        package let id: Int
        package let title: String
        package let year: Int?
    }

    /// A title in one list of one run.
    package struct Appearance: Sendable, Encodable, Equatable {
        package let run: String
        package let week: String
        package let list: String
        package let rank: Int
        package let posterPath: String?
        /// Size tokens that the run has.
        package let sizes: [String]
        /// Size tokens that the run has only as an earlier copy, and why.
        package let kept: [String: Manifest.Missing]
        package let missing: Manifest.Missing?
        /// What the run knows of the title beyond its list; nil when it was not asked for, or not to be had.
        package let details: Manifest.Details?
        package let detailsMissing: Manifest.Missing?
    }

    /// What a URL has answered.
    package struct Picture: Sendable, Encodable, Equatable {
        package enum State: String, Sendable, Encodable {
            /// There, and not asked for again before it has aged.
            case fresh
            /// There; the next mirror asks whether it has changed.
            case stale
            /// Not there.
            case missing
            /// The index names it, but its file is gone.
            case lost
        }

        package let url: String
        package let state: State
        /// One sentence: what there is, why not, and when it is asked for again.
        package let verdict: String
        package let original: Object?
        package let etag: String?
        package let lastModified: String?
        package let fetchedAt: Date?
        package let freshUntil: Date?
        package let failure: Failure?
        /// By recipe.
        package let renditions: [Object]
    }

    package struct Object: Sendable, Encodable, Equatable {
        /// Nil for an original.
        package let recipe: String?
        package let path: String
        package let digest: Digest
        package let bytes: Int
        package let width: Int
        package let height: Int
        package let isThere: Bool
    }

    package struct Failure: Sendable, Encodable, Equatable {
        package let reason: Reason
        package let detail: String
        package let at: Date
    }

    package let titles: [Title]
    /// Newest run first.
    package let appearances: [Appearance]
    /// By URL.
    package let pictures: [Picture]
}
