internal import Drawing

/// The letters on a poster: the title in its own script, a line above it, and the small print at the foot.
struct Lettering {
    let canvas: Canvas
    let typesetter: Typesetter
    let palette: Palette
    var random: StableRandom

    private static let margin = 34.0
    private static let width = Scene.width - 2 * margin
    /// From Debian’s font packages; what is not installed falls through to the next.
    private static let families = [
        "URW Gothic, Noto Sans, DejaVu Sans", "P052, Noto Serif, DejaVu Serif", "Nimbus Sans Narrow, Noto Sans, DejaVu Sans",
        "C059, Noto Serif, DejaVu Serif", "URW Bookman, Noto Serif, DejaVu Serif", "Noto Sans, DejaVu Sans", "Noto Serif, DejaVu Serif",
    ]

    mutating func draw(_ title: CatalogueTitle, room: Scene.Room) {
        let isLatin = title.originalTitle.unicodeScalars.allSatisfy { $0.value < 0x250 || (0x2000..<0x2100).contains($0.value) }
        let family = random.pick(Self.families)
        let isUpper = isLatin && random.below(3) > 0
        let spacing = isUpper ? random.pick([0, 1.5, 4]) : 0
        let style = TextStyle(family: family, size: 80, weight: random.pick([400, 700, 700, 900]), letterSpacing: spacing, lineHeight: 0)
        let text = isUpper ? title.originalTitle.uppercased() : title.originalTitle
        let layout = fit(text, style: style)

        let small = TextStyle(family: family, size: 15, weight: 400, letterSpacing: 2.5)
        let director = InventedName(&random).spelt(in: .latin) + " " + InventedName(&random).spelt(in: .latin)
        let above = typesetter.layout(
            "A FILM BY \(director.uppercased())", style: small, width: Self.width, maximumLines: 1, alignment: .centre)

        let top: Double
        switch room {
        case .top: top = 52
        case .middle: top = 375 - layout.height / 2
        case .bottom: top = 640 - layout.height
        }
        shade(from: top - 34, to: top + layout.height + 30, room: room)
        canvas.draw(above, at: Point(Self.margin, top - 22), colour: palette.light.opacity(0.85))
        let colour = random.below(3) == 0 && palette.accent.contrast(with: palette.near) > 5 ? palette.accent : palette.light
        canvas.draw(layout, at: Point(Self.margin + 1.5, top + 2), colour: palette.near.opacity(0.55))
        canvas.draw(layout, at: Point(Self.margin, top), colour: colour)
        footer(title)
    }

    // MARK: - Private

    /// The largest letters with which `text` takes at most three lines and no word is broken; for very long texts small ones, and an ellipsis.
    private func fit(_ text: String, style: TextStyle) -> TextLayout {
        var style = style
        let words = text.split(separator: " ").map(String.init)
        while style.size > 20 {
            let isWhole = words.allSatisfy { typesetter.layout($0, style: style).width <= Self.width }
            if isWhole {
                let layout = typesetter.layout(text, style: style, width: Self.width, alignment: .centre)
                if layout.lineCount <= 3, layout.height < 220 { return layout }
            }
            style.size *= 0.9
        }
        style.letterSpacing = 0
        return typesetter.layout(text, style: style, width: Self.width, maximumLines: 6, alignment: .centre)
    }

    /// Darkens the ground behind the title just enough for it to be read.
    private func shade(from top: Double, to bottom: Double, room: Scene.Room) {
        let dark = palette.near
        let stops: [Paint.Stop]
        let area: Rectangle
        switch room {
        case .top:
            area = Rectangle(x: 0, y: 0, width: Scene.width, height: bottom + 70)
            stops = [Paint.Stop(0, dark.opacity(0.8)), Paint.Stop(0.6, dark.opacity(0.5)), Paint.Stop(1, dark.opacity(0))]
        case .middle:
            area = Rectangle(x: 0, y: top - 26, width: Scene.width, height: bottom - top + 52)
            stops = [
                Paint.Stop(0, dark.opacity(0)), Paint.Stop(0.2, dark.opacity(0.85)), Paint.Stop(0.8, dark.opacity(0.85)),
                Paint.Stop(1, dark.opacity(0)),
            ]
        case .bottom:
            area = Rectangle(x: 0, y: top - 70, width: Scene.width, height: Scene.height - top + 70)
            stops = [Paint.Stop(0, dark.opacity(0)), Paint.Stop(0.4, dark.opacity(0.65)), Paint.Stop(1, dark.opacity(0.9))]
        }
        canvas.fill(.rectangle(area), with: .linear(from: Point(0, area.y), to: Point(0, area.maxY), stops: stops))
    }

    private mutating func footer(_ title: CatalogueTitle) {
        canvas.fill(
            .rectangle(Rectangle(x: 0, y: 640, width: Scene.width, height: 110)),
            with: .linear(
                from: Point(0, 640), to: Point(0, 750),
                stops: [Paint.Stop(0, palette.near.opacity(0)), Paint.Stop(0.6, palette.near.opacity(0.8)), Paint.Stop(1, palette.near)]))
        var credits = ""
        for role in ["with", "and", "music", "camera", "edited by", "written by", "a production of"] {
            credits += "\(role) \((InventedName(&random).spelt(in: .latin) + " " + InventedName(&random).spelt(in: .latin)).uppercased())  "
        }
        let style = TextStyle(family: "Nimbus Sans Narrow, Noto Sans, DejaVu Sans Condensed", size: 11, weight: 400, letterSpacing: 0.4)
        let block = typesetter.layout(credits, style: style, width: Self.width, maximumLines: 3, alignment: .centre)
        canvas.draw(block, at: Point(Self.margin, 730 - block.height), colour: palette.light.opacity(0.6))
    }
}
