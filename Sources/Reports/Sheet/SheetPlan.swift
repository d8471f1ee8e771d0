internal import Mirroring

/// What goes where on a contact sheet: pages, cut into rows that are drawn one after the other.
struct SheetPlan: Sendable {
    enum Content: Sendable, Equatable {
        /// The whole sheet's own title, when it has several lists.
        case title(String)
        case heading(SheetHeading)
        /// Places in ``SheetPlan/titles``, one cell each from the first column on.
        case cells(Range<Int>)
        case footer(page: Int, of: Int)
    }

    struct Row: Sendable, Equatable {
        var y: Double
        var height: Double
        var content: Content
    }

    struct Page: Sendable, Equatable {
        var height: Double
        var rows: [Row]
    }

    let metrics: SheetMetrics
    let titles: [Manifest.Title]
    let pages: [Page]
    /// The first list's.
    let heading: SheetHeading
    /// Whose score is shown where there is one.
    let score: ScoreSource?
    /// What the whole sheet is called.
    let name: String

    /// - Parameter maximumHeight: where a sheet in one piece is cut nevertheless, because its format has no longer pages.
    init(_ manifest: Manifest, options: SheetOptions, maximumHeight: Double = .infinity) throws(SheetError) {
        var sections: [(heading: SheetHeading, titles: [Manifest.Title])] = []
        for list in manifest.lists {
            let all = manifest.titles.filter { $0.list == list }
            let shown = options.top.map { Array(all.prefix($0)) } ?? all
            let title = manifest.lists.count == 1 ? options.title : nil
            sections.append((SheetHeading(list: list, title: title, of: manifest, shown: shown.count, all: all.count), shown))
        }
        guard let first = sections.first?.heading else { throw SheetError(.failed, "the run \(manifest.run) has no list") }
        titles = sections.flatMap(\.titles)
        score = options.score
        metrics = try SheetMetrics(
            options, count: sections.map(\.titles.count).max() ?? 0,
            hasDetails: titles.contains { $0.details?.runtimeMinutes != nil || $0.details?.directors?.isEmpty == false })
        heading = first
        name = options.title ?? first.title

        var flow = Flow(metrics: metrics, maximumHeight: maximumHeight)
        if manifest.lists.count > 1, let title = options.title {
            flow.add(
                .title(title), height: metrics.heading.titleSize * 1.4, space: metrics.heading.titleSize * 0.6,
                keptWith: metrics.heading.height)
        }
        var next = 0
        for section in sections {
            flow.add(
                .heading(section.heading), height: metrics.heading.height, space: metrics.heading.space, keptWith: metrics.cell.height)
            let end = next + section.titles.count
            while next < end {
                let row = next..<min(end, next + metrics.columns)
                flow.add(.cells(row), height: metrics.cell.height, space: metrics.rowGap, keptWith: 0)
                next = row.upperBound
            }
            flow.skip(metrics.heading.space)
        }
        pages = flow.finished()
    }
}

/// Fills pages from the top.
private struct Flow {
    let metrics: SheetMetrics
    let limit: Double
    var pages: [SheetPlan.Page] = []
    var rows: [SheetPlan.Row] = []
    var y: Double
    /// The end of the last row, without the space below it.
    var end = 0.0

    init(metrics: SheetMetrics, maximumHeight: Double) {
        self.metrics = metrics
        limit = (metrics.pageHeight.map { $0 - SheetMetrics.footerHeight } ?? maximumHeight) - metrics.verticalMargin
        y = metrics.verticalMargin
    }

    /// - Parameter keptWith: the height of what follows, from which this must not be parted.
    mutating func add(_ content: SheetPlan.Content, height: Double, space: Double, keptWith: Double) {
        let needed = height + (keptWith > 0 ? space + keptWith : 0)
        if y + needed > limit + 0.01, !rows.isEmpty { endPage() }
        rows.append(SheetPlan.Row(y: y, height: height, content: content))
        end = y + height
        y = end + space
    }

    mutating func skip(_ space: Double) { y += space }

    mutating func finished() -> [SheetPlan.Page] {
        endPage()
        guard metrics.pageHeight != nil else { return pages }
        let (count, height) = (pages.count, SheetMetrics.footerSize * 1.4)
        for place in pages.indices {
            let y = pages[place].height - metrics.verticalMargin * 0.62 - height
            pages[place].rows.append(SheetPlan.Row(y: y, height: height, content: .footer(page: place + 1, of: count)))
        }
        return pages
    }

    private mutating func endPage() {
        pages.append(SheetPlan.Page(height: metrics.pageHeight ?? end + metrics.verticalMargin, rows: rows))
        rows = []
        y = metrics.verticalMargin
    }
}
