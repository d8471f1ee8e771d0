/// Every title that the stand-in knows, and the lists that they stand in.
struct Catalogue: Sendable {
    /// TMDB's page length.
    static let pageLength = 20
    /// TMDB gives no page beyond this one, however long a list is.
    static let lastPage = 500

    let titles: [CatalogueTitle]
    /// Whether every list holds all movies or all series: the catalogue of a benchmark.
    let isWhole: Bool
    private let byID: [CatalogueTitle.Kind: [Int: Int]]
    private let byPosterPath: [String: Int]

    /// The sample: 420 titles, some without a poster, a date or votes.
    init() {
        self.init(titles: (0..<420).map { CatalogueTitle(index: $0, kind: $0 % 14 < 9 ? .movie : .tv, isPlain: false) }, isWhole: false)
    }

    /// A number of movies that all have posters, and a quarter as many series, at most 40; each list holds all of its kind.
    init(movies: Int) {
        let movies = (0..<movies).map { CatalogueTitle(index: $0, kind: .movie, isPlain: true) }
        let series = (0..<min(40, (movies.count + 3) / 4)).map { CatalogueTitle(index: movies.count + $0, kind: .tv, isPlain: true) }
        self.init(titles: movies + series, isWhole: true)
    }

    private init(titles: [CatalogueTitle], isWhole: Bool) {
        self.titles = titles
        self.isWhole = isWhole
        var byID: [CatalogueTitle.Kind: [Int: Int]] = [:]
        var byPosterPath: [String: Int] = [:]
        for title in titles {
            byID[title.kind, default: [:]][title.id] = title.index
            if let path = title.posterPath, !path.isEmpty { byPosterPath[path] = title.index }
        }
        // Unusual but legal paths, which the fault `json=paths` puts into answers.
        for (offset, path) in Self.unusualPaths.enumerated() { byPosterPath[path] = offset }
        self.byID = byID
        self.byPosterPath = byPosterPath
    }

    static let unusualPaths = ["/a b.jpg", "/é.jpg", "/what?.jpg", "/no#1.jpg", "/100%.jpg", "/plus+and&.jpg", "/映画.jpg"]

    func title(_ kind: CatalogueTitle.Kind, id: Int) -> CatalogueTitle? {
        byID[kind]?[id].map { titles[$0] }
    }

    /// The title that a poster belongs to.
    func title(posterPath: String) -> CatalogueTitle? {
        byPosterPath[posterPath].map { titles[$0] }
    }
}
