internal import Core
internal import Drawing
internal import Imaging
internal import Mirroring

extension SheetPainter {
    /// A poster or its placeholder, with the caption below.
    func drawCell(_ title: Manifest.Title, picture: SheetPicture?, x: Double, y: Double, on canvas: Canvas) throws(DrawingError) {
        let poster = Rectangle(
            x: snapped(x), y: snapped(y), width: snapped(metrics.cell.width), height: snapped(metrics.cell.posterHeight))
        let outline = Path.roundedRectangle(poster, radius: metrics.cell.cornerRadius)
        if let picture {
            try canvas.withClip(outline) { () throws(DrawingError) in try draw(picture, in: poster, on: canvas) }
            let inset = hairlineWidth / 2
            canvas.stroke(
                .roundedRectangle(poster.inset(by: inset), radius: metrics.cell.cornerRadius - inset), with: theme.hairline,
                lineWidth: hairlineWidth)
        } else {
            drawPlaceholder(for: title, in: poster, outline: outline, on: canvas)
        }
        if metrics.cell.captions != .none {
            // A glyph may reach out of its line, but not into another title's cell.
            let cell = Rectangle(
                x: poster.x - metrics.gap / 2, y: poster.maxY, width: poster.width + metrics.gap,
                height: y + metrics.cell.height + metrics.rowGap / 2 - poster.maxY)
            canvas.withClip(.rectangle(cell)) {
                drawCaption(of: title, x: poster.x, top: poster.maxY + metrics.cell.captionSpace, width: poster.width, on: canvas)
            }
        }
    }

    // MARK: - Poster

    private func draw(_ picture: SheetPicture, in frame: Rectangle, on canvas: Canvas) throws(DrawingError) {
        switch picture {
        case .pixels(let buffer):
            let picture = try Picture(widthPixels: buffer.widthPixels, heightPixels: buffer.heightPixels, rgba: buffer.rgba)
            canvas.draw(picture, in: Self.cover(frame, width: Double(buffer.widthPixels), height: Double(buffer.heightPixels)))
        case .jpeg(let bytes, let header, let digest):
            let picture = try Picture(
                jpeg: bytes, widthPixels: header.widthPixels, heightPixels: header.heightPixels, identity: digest.hex)
            let isOnItsSide = header.orientation > 4
            let (width, height) = (Double(header.widthPixels), Double(header.heightPixels))
            let target = Self.cover(frame, width: isOnItsSide ? height : width, height: isOnItsSide ? width : height)
            canvas.draw(picture, in: target, orientation: header.orientation)
        }
    }

    /// The place around the middle of `frame` that a picture of these proportions must take to leave none of it bare.
    private static func cover(_ frame: Rectangle, width: Double, height: Double) -> Rectangle {
        let scale = max(frame.width / width, frame.height / height)
        // Less than a pixel's worth of difference is rounding, not proportion: 185 × 278 stands for 2 : 3.
        if abs(width * scale - frame.width) / scale < 1, abs(height * scale - frame.height) / scale < 1 { return frame }
        return Rectangle(
            x: frame.centre.x - width * scale / 2, y: frame.centre.y - height * scale / 2, width: width * scale, height: height * scale)
    }

    /// A quiet ground with a strip of film on it; with the title instead when there are no captions to name it.
    private func drawPlaceholder(for title: Manifest.Title, in frame: Rectangle, outline: Path, on canvas: Canvas) {
        let colours = theme.placeholder(tintedWith: title.poster?.colour.flatMap { Colour($0) })
        canvas.fill(outline, with: colours.ground)
        guard metrics.cell.captions != .none else {
            let width = frame.width * 0.8
            let text = set(
                DisplayText.cleaned(title.title),
                TextStyle(size: metrics.cell.titleSize, weight: 600, lineHeight: CellMetrics.titleLineHeight), width: width,
                lines: 5, alignment: .centre)
            let ink = colours.ground.luminance > 0.35 ? Colour(0x14161a) : Colour(0xf1f2f4)
            canvas.draw(
                text, at: Point(frame.x + (frame.width - width) / 2, frame.centre.y - text.height / 2), colour: ink.opacity(0.8))
            return
        }
        let (width, height) = (frame.width * 0.30, frame.width * 0.235)
        let film = Rectangle(x: frame.centre.x - width / 2, y: frame.centre.y - height / 2, width: width, height: height)
        let pen = frame.width * 0.016
        canvas.stroke(.roundedRectangle(film, radius: width * 0.09), with: colours.ink, lineWidth: pen)
        for side in [film.x + width * 0.22, film.maxX - width * 0.22] {
            canvas.stroke(.line(Point(side, film.y), Point(side, film.maxY)), with: colours.ink, lineWidth: pen)
        }
        for third in [1.0, 2.0] {
            let y = film.y + height * third / 3
            canvas.stroke(.line(Point(film.x, y), Point(film.x + width * 0.22, y)), with: colours.ink, lineWidth: pen)
            canvas.stroke(.line(Point(film.maxX - width * 0.22, y), Point(film.maxX, y)), with: colours.ink, lineWidth: pen)
        }
    }

    // MARK: - Caption

    /// Rank and movement, the title in two lines at most, year and score; from the right for a title that is read from there.
    private func drawCaption(of title: Manifest.Title, x: Double, top: Double, width: Double, on canvas: Canvas) {
        let size = metrics.cell.titleSize
        let name = set(
            DisplayText.cleaned(title.title), TextStyle(size: size, weight: 600, lineHeight: CellMetrics.titleLineHeight), width: width,
            lines: 2)
        var line = CaptionLine(x: x, width: width, isMirrored: name.isRightToLeft)

        let rankBaseline = top + metrics.cell.smallSize
        let rank = set("\(title.rank)", TextStyle(size: metrics.cell.smallSize, weight: 700, features: "tnum=1"))
        canvas.draw(rank, x: line.leading(rank.width), baseline: rankBaseline, colour: theme.quietText)
        if let mark = movements?[title].flatMap(mark) {
            let isWord = mark.text.first?.isLetter == true
            let text = set(
                mark.text,
                TextStyle(
                    size: metrics.cell.smallSize * (isWord ? 0.8 : 0.9), weight: 700,
                    letterSpacing: isWord ? metrics.cell.smallSize * 0.05 : 0,
                    features: "tnum=1"))
            canvas.draw(text, x: line.trailing(text.width), baseline: rankBaseline, colour: mark.colour)
        }

        let titleBaseline = top + metrics.cell.rankLine + size * 0.92
        canvas.draw(name, x: x, baseline: titleBaseline, colour: theme.text)

        guard metrics.cell.captions == .full else { return }
        let factsBaseline = titleBaseline + size * CellMetrics.titleLineHeight * Double(name.lineCount - 1) + metrics.cell.factsLine
        let style = TextStyle(size: metrics.cell.smallSize, features: "tnum=1")
        line = CaptionLine(x: x, width: width, isMirrored: name.isRightToLeft)
        if let year = title.year {
            let text = set("\(year)", style)
            canvas.draw(text, x: line.leading(text.width), baseline: factsBaseline, colour: theme.quietText)
            line.skip(metrics.cell.smallSize * 0.7)
        }
        if let score = Score(of: title, preferring: plan.score) {
            if score.source == nil {
                let star = set(score.mark, TextStyle(size: metrics.cell.smallSize))
                canvas.draw(star, x: line.leading(star.width), baseline: factsBaseline, colour: theme.star)
                line.skip(metrics.cell.smallSize * 0.22)
            }
            // A name and its number are one text: they stay in their order beside a title that is read from the right.
            let text = set(score.source == nil ? score.number : score.text, style)
            canvas.draw(text, x: line.leading(text.width), baseline: factsBaseline, colour: theme.quietText)
        }
        drawDetails(of: title, x: x, width: width, baseline: factsBaseline + metrics.cell.factsLine, name.isRightToLeft, on: canvas)
    }

    /// Runtime and director in one line, the director cut short where there is no room.
    private func drawDetails(
        of title: Manifest.Title, x: Double, width: Double, baseline: Double, _ isMirrored: Bool, on canvas: Canvas
    ) {
        guard let details = DetailTexts(title, expectedLanguage: plan.heading.language) else { return }
        let style = TextStyle(size: metrics.cell.smallSize, features: "tnum=1")
        var line = CaptionLine(x: x, width: width, isMirrored: isMirrored)
        let director = details.directors.first?.text
        for piece in [details.runtime, director == nil ? nil : "·", director].compactMap(\.self) {
            guard piece != "·" || details.runtime != nil, line.room >= metrics.cell.smallSize else { continue }
            var text = set(piece, style)
            // With a width, a text that is read from the right would stand at that width's far end.
            if text.width > line.room { text = set(piece, style, width: line.room, lines: 1) }
            canvas.draw(text, x: line.leading(min(text.width, line.room)), baseline: baseline, colour: theme.quietText)
            line.skip(metrics.cell.smallSize * 0.3)
        }
    }

    /// What is written for a movement. Its shape or word says it; the colour only helps.
    private func mark(_ movement: Movement) -> (text: String, colour: Colour)? {
        switch movement {
        case .new: ("NEW", theme.new)
        case .back: ("BACK", theme.new)
        case .up(let places): ("▲ \(places)", theme.up)
        case .down(let places): ("▼ \(places)", theme.down)
        case .same: nil
        }
    }
}

/// Places pieces of text along a line from its leading end, and from its trailing end.
private struct CaptionLine {
    let x: Double
    let width: Double
    /// Whether the leading end is the right one.
    let isMirrored: Bool
    private var used = 0.0

    init(x: Double, width: Double, isMirrored: Bool) {
        self.x = x
        self.width = width
        self.isMirrored = isMirrored
    }

    /// The left side of the next piece from the leading end.
    mutating func leading(_ piece: Double) -> Double {
        defer { used += piece }
        return isMirrored ? x + width - used - piece : x + used
    }

    mutating func skip(_ space: Double) { used += space }

    var room: Double { max(0, width - used) }

    /// The left side of a piece at the trailing end.
    func trailing(_ piece: Double) -> Double { isMirrored ? x : x + width - piece }
}
