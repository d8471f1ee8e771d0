/// The measures of a contact sheet, in its units, all of which follow from the options.
struct SheetMetrics: Sendable, Equatable {
    /// Nil for a sheet in one piece.
    let pageHeight: Double?
    let pageWidth: Double
    /// At the left and the right.
    let margin: Double
    /// At the top and the bottom.
    let verticalMargin: Double
    let columns: Int
    let cell: CellMetrics
    /// Between columns.
    let gap: Double
    let rowGap: Double

    static let footerSize = 7.5
    private static let pageMargin = 40.0

    /// - Parameters:
    ///   - count: titles in the longest list, so that a short list makes a narrow sheet, whatever columns were asked for.
    ///   - hasDetails: whether a title has runtime or director.
    init(_ options: SheetOptions, count: Int, hasDetails: Bool = false) throws(SheetError) {
        try options.check()
        var options = options
        // Columns that no title fills would be blank paper; two leave a heading room enough.
        options.columns = options.columns.map { min($0, max(2, count)) }
        let across: Across
        if let page = options.page.size {
            across = try Self.across(page, options, hasDetails: hasDetails)
            pageWidth = page.width
            pageHeight = page.height
            verticalMargin = Self.pageMargin
            margin = (page.width - across.contentWidth) / 2
        } else {
            let width = options.cellWidth ?? 185
            across = Across(columns: options.columns ?? min(5, max(2, count)), width: width, gap: options.gap ?? (width / 7).rounded())
            margin = max(16, (width / 5).rounded())
            verticalMargin = margin
            pageWidth = across.contentWidth + 2 * margin
            pageHeight = nil
        }
        columns = across.columns
        gap = across.gap
        cell = CellMetrics(width: across.width, captions: options.captions, hasDetails: hasDetails)
        rowGap = options.captions == .none ? gap : max(cell.rowSpace, options.gap ?? 0)
    }

    var contentWidth: Double { pageWidth - 2 * margin }
    var heading: HeadingMetrics { HeadingMetrics(width: contentWidth) }

    func x(ofColumn column: Int) -> Double { margin + Double(column) * (cell.width + gap) }

    // MARK: - Private

    private struct Across {
        var columns: Int
        var width: Double
        var gap: Double

        var contentWidth: Double { width * Double(columns) + gap * Double(columns - 1) }
    }

    private static func across(
        _ page: (width: Double, height: Double), _ options: SheetOptions, hasDetails: Bool
    ) throws(SheetError) -> Across {
        let room = page.width - 2 * pageMargin
        let name = options.page.rawValue
        if let width = options.cellWidth {
            let gap = options.gap ?? (width / 7).rounded()
            let fitting = max(0, Int((room + gap + 0.01) / (width + gap)))
            let columns = options.columns ?? max(1, fitting)
            guard columns <= fitting else {
                let advice = fitting > 0 ? "at most \(fitting) do" : "a cell can be \(Int(room)) points wide there"
                throw SheetError(.badOptions, "\(columns) × \(Int(width)) points of posters do not fit across \(name): \(advice)")
            }
            return Across(columns: columns, width: width, gap: gap)
        }
        let columns = options.columns ?? 5
        let spaces = Double(columns - 1)
        let widest = options.gap.map { (room - $0 * spaces) / Double(columns) } ?? room / (Double(columns) + spaces / 7)
        guard widest >= SheetOptions.cellWidths.lowerBound else {
            throw SheetError(.badOptions, "\(columns) columns leave too little room for posters on \(name): fewer columns or a smaller gap")
        }
        let width = widthThatFills(
            page.height, atMost: min(widest, 240), atLeast: options.columns == nil ? 0.7 : 0.85, captions: options.captions,
            hasDetails: hasDetails)
        // What narrower cells leave over goes to the gaps first, then to the margins.
        let gap = options.gap ?? (columns == 1 ? 0 : min(width * 0.22, (room - width * Double(columns)) / spaces))
        return Across(columns: columns, width: width, gap: gap)
    }

    /// The cell width with which rows fill a first page: narrower than the widest when that lets one row more onto it; else the widest.
    ///
    /// - Parameter share: of the widest, what must be left; less where the columns were not asked for.
    private static func widthThatFills(
        _ height: Double, atMost widest: Double, atLeast share: Double, captions: SheetOptions.Captions, hasDetails: Bool
    ) -> Double {
        // The tallest heading there is: a little too much room does no harm, too little would drop the row.
        let heading = HeadingMetrics(width: 600)
        func rows(_ width: Double) -> Int {
            let cell = CellMetrics(width: width, captions: captions, hasDetails: hasDetails)
            let room = height - 2 * pageMargin - footerHeight - heading.height - heading.space
            return Int((room + cell.rowSpace) / (cell.height + cell.rowSpace))
        }
        let wanted = rows(widest) + 1
        let least = max(SheetOptions.cellWidths.lowerBound, widest * share)
        return stride(from: widest, through: least, by: -0.25).first { rows($0) >= wanted } ?? widest
    }

    /// What a page's footer takes from its rows, beyond the margin that it stands in.
    static let footerHeight = 6.0
}

extension SheetOptions {
    static let cellWidths = 24.0...2_000.0

    /// - Throws: when a number is out of the range that makes sense.
    func check() throws(SheetError) {
        func require(_ isGood: Bool, _ message: @autoclosure () -> String) throws(SheetError) {
            if !isGood { throw SheetError(.badOptions, message()) }
        }
        try require(columns.map { (1...100).contains($0) } ?? true, "\(columns ?? 0) columns: 1 to 100 are possible")
        try require(cellWidth.map(Self.cellWidths.contains) ?? true, "a cell width of \(cellWidth ?? 0): 24 to 2000 are possible")
        try require(gap.map { (0...500).contains($0) } ?? true, "a gap of \(gap ?? 0): 0 to 500 are possible")
        try require((0.25...8).contains(scale), "a scale of \(scale): 0.25 to 8 are possible")
        try require(top.map { $0 >= 1 } ?? true, "the top \(top ?? 0) titles: at least 1 is needed")
    }
}

extension SheetOptions.Page {
    /// In points.
    var size: (width: Double, height: Double)? {
        switch self {
        case .a4: (595.276, 841.89)
        case .letter: (612, 792)
        case .none: nil
        }
    }
}
