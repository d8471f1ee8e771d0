internal import Drawing
internal import Mirroring

/// Draws the rows of a contact sheet, in pixels or in a PDF alike.
final class SheetPainter {
    let plan: SheetPlan
    let theme: SheetTheme
    let movements: Movements?
    let typesetter: Typesetter
    /// Pixels per unit, for edges that are to fall on whole pixels; nil in a PDF.
    let pixelsPerUnit: Double?
    /// What no font had, so far.
    private(set) var missingCharacters: Set<Unicode.Scalar> = []

    var metrics: SheetMetrics { plan.metrics }

    init(_ plan: SheetPlan, theme: SheetOptions.Theme, movements: Movements?, pixelsPerUnit: Double?) {
        self.plan = plan
        self.theme = SheetTheme(theme)
        self.movements = movements
        self.pixelsPerUnit = pixelsPerUnit
        typesetter = Typesetter(language: plan.heading.language)
    }

    /// Draws one row; `pictures` are those of its cells.
    func draw(_ row: SheetPlan.Row, pictures: [SheetPicture?], on canvas: Canvas) throws(DrawingError) {
        switch row.content {
        case .title(let title): drawTitle(title, top: row.y, size: metrics.heading.titleSize * 1.2, on: canvas)
        case .heading(let heading): draw(heading, top: row.y, on: canvas)
        case .footer(let page, let count): drawFooter(page: page, of: count, row: row, on: canvas)
        case .cells(let places):
            for (column, place) in places.enumerated() {
                try drawCell(plan.titles[place], picture: pictures[column], x: metrics.x(ofColumn: column), y: row.y, on: canvas)
            }
        }
    }

    /// Sets text, and remembers what the fonts lacked.
    func set(
        _ text: String, _ style: TextStyle, width: Double? = nil, lines: Int? = nil, alignment: TextAlignment = .leading
    ) -> TextLayout {
        let layout = typesetter.layout(text, style: style, width: width, maximumLines: lines, alignment: alignment)
        missingCharacters.formUnion(layout.missingCharacters)
        return layout
    }

    // MARK: - Heading and footer

    private var contentWidth: Double { metrics.contentWidth }

    private func drawTitle(_ title: String, top: Double, size: Double, on canvas: Canvas) {
        let text = fitted(title, size: size, width: contentWidth)
        canvas.draw(text, x: metrics.margin, baseline: top + size, colour: theme.text)
    }

    /// The title, the week on the same line at the other side, what list it is below, and a rule.
    private func draw(_ heading: SheetHeading, top: Double, on canvas: Canvas) {
        let (left, size, small) = (metrics.margin, metrics.heading.titleSize, metrics.heading.factsSize)
        let baseline = top + size
        let week = set(heading.week, TextStyle(size: small * 1.15, weight: 600, features: "tnum=1"))
        let title = fitted(heading.title, size: size, width: contentWidth - week.width - size * 0.8)
        let isMirrored = title.isRightToLeft
        canvas.draw(title, x: isMirrored ? left + week.width + size * 0.8 : left, baseline: baseline, colour: theme.text)
        canvas.draw(week, x: isMirrored ? left : left + contentWidth - week.width, baseline: baseline, colour: theme.text)

        let factsBaseline = baseline + size * 0.3 + small * 1.3
        let count = set(heading.count, TextStyle(size: small))
        let facts = set(
            "\(heading.list)  ·  \(heading.language)", TextStyle(size: small), width: max(0, contentWidth - count.width - small), lines: 1)
        canvas.draw(facts, x: isMirrored ? left + contentWidth - facts.width : left, baseline: factsBaseline, colour: theme.quietText)
        canvas.draw(count, x: isMirrored ? left : left + contentWidth - count.width, baseline: factsBaseline, colour: theme.quietText)

        let y = snapped(top + metrics.heading.height)
        canvas.fill(.rectangle(Rectangle(x: left, y: y, width: contentWidth, height: hairlineWidth)), with: theme.rule)
    }

    /// A title in one line: smaller if it is too long, and shortened only if that is not enough.
    private func fitted(_ title: String, size: Double, width: Double) -> TextLayout {
        let sizes = stride(from: 1, through: 0.6, by: -0.1).map { $0 * size }
        let fitting = sizes.first { set(title, TextStyle(size: $0, weight: 700)).width <= width }
        return set(title, TextStyle(size: fitting ?? size * 0.6, weight: 700), width: width, lines: 1)
    }

    private func drawFooter(page: Int, of count: Int, row: SheetPlan.Row, on canvas: Canvas) {
        let style = TextStyle(size: SheetMetrics.footerSize, features: "tnum=1")
        let baseline = row.y + row.height
        let number = set("\(page) / \(count)", style)
        canvas.draw(number, x: metrics.margin + contentWidth - number.width, baseline: baseline, colour: theme.quietText)
        // Two texts, not one: beside a name that is read from the right, the week's parts would change places.
        let week = set("·  \(plan.heading.week)", style)
        var name = set(plan.name, style)
        let room = contentWidth - number.width - week.width - SheetMetrics.footerSize * 4
        if name.width > room { name = set(plan.name, style, width: room, lines: 1) }
        canvas.draw(name, x: metrics.margin, baseline: baseline, colour: theme.quietText)
        canvas.draw(week, x: metrics.margin + name.width + SheetMetrics.footerSize * 0.7, baseline: baseline, colour: theme.quietText)
    }

    // MARK: - Edges

    var hairlineWidth: Double { pixelsPerUnit.map { max(1, $0.rounded()) / $0 } ?? 0.6 }

    /// The nearest place on the pixel grid.
    func snapped(_ place: Double) -> Double {
        pixelsPerUnit.map { (place * $0).rounded() / $0 } ?? place
    }
}
