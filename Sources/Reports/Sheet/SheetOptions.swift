package import Mirroring

/// How a contact sheet looks.
package struct SheetOptions: Sendable, Equatable {
    /// What the sheet is cut into.
    package enum Page: String, Sendable, CaseIterable {
        case a4, letter
        /// One piece, as high as it takes.
        case none
    }

    package enum Theme: String, Sendable, CaseIterable {
        case light, dark
    }

    package enum Captions: String, Sendable, CaseIterable {
        case none
        /// Rank and title.
        case title
        /// Year and score too, and where they are known runtime and director.
        case full
    }

    /// Nil: as many as fit when the cell width is given, else five.
    package var columns: Int?
    /// Of a poster: points on a page, pixels at scale 1 otherwise. Nil: what the page leaves for each column, or 185.
    package var cellWidth: Double?
    /// Between columns. Nil: a seventh of the cell's width.
    package var gap: Double?
    package var page: Page
    package var theme: Theme
    package var captions: Captions
    /// Pixels per unit of a raster sheet: 2 for dense screens. In a PDF, which has no pixels, it chooses larger originals.
    package var scale: Double
    /// The heading; nil: the list's name.
    package var title: String?
    /// How many titles of each list, from rank 1; nil: all.
    package var top: Int?
    package var showsMovement: Bool
    /// Whose score to show where there is one; see ``Score``.
    package var score: ScoreSource?
    /// Whether a PNG has 256 colours of its own choice: a quarter of the size, and posters on a sheet look the same.
    package var hasPalette: Bool

    package init(
        columns: Int? = nil, cellWidth: Double? = nil, gap: Double? = nil, page: Page = .none, theme: Theme = .light,
        captions: Captions = .full, scale: Double = 1, title: String? = nil, top: Int? = nil, showsMovement: Bool = true,
        score: ScoreSource? = nil, hasPalette: Bool = false
    ) {
        self.columns = columns
        self.cellWidth = cellWidth
        self.gap = gap
        self.page = page
        self.theme = theme
        self.captions = captions
        self.scale = scale
        self.title = title
        self.top = top
        self.showsMovement = showsMovement
        self.score = score
        self.hasPalette = hasPalette
    }
}
