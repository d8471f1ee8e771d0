internal import Core
internal import FoundationEssentials
internal import Mirroring

/// `posters.json`: a site's titles and pictures for somebody else's templates. `docs/site.md` describes it; fields may be added, never
/// renamed or removed, while `version` stays the same.
struct PosterData: Encodable {
    struct Week: Encodable {
        let week: String
        let run: String
        let updated: Date
        let titles: [Title]
    }

    struct Title: Encodable {
        let rank: Int
        let list: String
        let id: Int
        let mediaType: String
        let title: String
        /// BCP 47, and `ltr` or `rtl`: for the title's own text.
        let lang: String
        let dir: String
        let year: Int?
        let score: Double?
        let movement: Movement?
        let isNew: Bool
        let colour: String?
        let placeholder: String?
        let alt: String
        /// Narrowest first; empty when there is no picture, and then `missing` may say why.
        let pictures: [Picture]
        let missing: Reason?
        /// The score that the site's own pages show; left out when nobody has voted.
        let shownScore: Score?
        /// Left out when there are none.
        let details: Details?
    }

    struct Score: Encodable {
        /// `imdb`, `kinopoisk`, `metacritic`, `rotten_tomatoes`, `tmdb`, or `list` for the list's own.
        let source: String
        let value: Double
        /// The best that the source gives.
        let scale: Int
        /// `IMDb 7.9`.
        let text: String
    }

    struct Details: Encodable {
        struct Role: Encodable {
            let name: String
            let character: String?
        }

        let runtimeMinutes: Int?
        let genres: [String]
        let directors: [String]?
        let cast: [Role]?
        /// By source; a source without a rating is left out.
        let ratings: [String: Manifest.Rating]?
    }

    struct Movement: Encodable {
        /// `new`, `up`, `down`, `same` or `back`.
        let kind: String
        let places: Int?
    }

    struct Picture: Encodable {
        /// Relative to this file, percent-encoded.
        let src: String
        let width: Int
        let height: Int
        let type: String
        let bytes: Int
    }

    let version = 1
    let lists: [String]
    let heading: String
    let language: String
    /// Newest first.
    let weeks: [Week]

    init(model: SiteModel, files: SiteFiles) {
        let current = model.weeks[0]
        lists = current.manifest.lists
        heading = current.lists.first?.heading ?? ""
        language = current.manifest.language
        weeks = model.weeks.map { week in
            Week(
                week: week.name, run: week.manifest.run, updated: week.manifest.finishedAt,
                titles: week.titles.map { Title($0, files: files) })
        }
    }
}

extension PosterData.Title {
    init(_ title: SiteModel.Title, files: SiteFiles) {
        rank = title.record.rank
        list = title.record.list
        id = title.record.id
        mediaType = title.record.mediaType
        self.title = title.name.text
        lang = title.name.language
        dir = title.name.direction
        year = title.record.year
        score = title.record.score
        movement = title.movement.map { PosterData.Movement($0) }
        isNew = title.isNew
        colour = title.colour
        placeholder = title.placeholder
        alt = "Poster of \(title.name.text)"
        pictures = title.pictures.flatMap { set in
            set.pictures.map { picture in
                PosterData.Picture(
                    src: files.address(of: picture), width: picture.width, height: picture.height, type: picture.mediaType,
                    bytes: picture.byteCount)
            }
        }
        missing = title.record.missing?.reason
        shownScore = title.score.map { PosterData.Score($0) }
        details = title.record.details.map { PosterData.Details($0) }
    }
}

extension PosterData.Score {
    init(_ score: Reports.Score) {
        (source, value, scale, text) = (score.source?.rawValue ?? "list", score.value, score.scale, score.text)
    }
}

extension PosterData.Details {
    init(_ details: Manifest.Details) {
        runtimeMinutes = details.runtimeMinutes
        genres = details.genres.map(DisplayText.cleaned)
        directors = details.directors?.map(DisplayText.cleaned)
        cast = details.cast?.map { Role(name: DisplayText.cleaned($0.name), character: $0.character.map(DisplayText.cleaned)) }
        ratings = details.ratings.map { ratings in
            Dictionary(uniqueKeysWithValues: ScoreSource.allCases.compactMap { source in ratings[source].map { (source.rawValue, $0) } })
        }
    }
}

extension PosterData.Movement {
    init(_ movement: Reports.Movement) {
        switch movement {
        case .new: (kind, places) = ("new", nil)
        case .up(let count): (kind, places) = ("up", count)
        case .down(let count): (kind, places) = ("down", count)
        case .same: (kind, places) = ("same", nil)
        case .back: (kind, places) = ("back", nil)
        }
    }
}
