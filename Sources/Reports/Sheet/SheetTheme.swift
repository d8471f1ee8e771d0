internal import Drawing

/// The colours of a contact sheet. Text has a contrast of at least 4.5 against the background.
struct SheetTheme: Sendable {
    let background: Colour
    let text: Colour
    let quietText: Colour
    let rule: Colour
    let star: Colour
    /// Around a poster, so that one with a pale edge still has an outline.
    let hairline: Colour
    let placeholder: Colour
    let placeholderInk: Colour
    let up: Colour
    let down: Colour
    let new: Colour

    init(_ theme: SheetOptions.Theme) {
        self = theme == .dark ? .dark : .light
    }

    private init(
        background: Colour, text: Colour, quietText: Colour, rule: Colour, star: Colour, hairline: Colour, placeholder: Colour,
        placeholderInk: Colour, up: Colour, down: Colour, new: Colour
    ) {
        self.background = background
        self.text = text
        self.quietText = quietText
        self.rule = rule
        self.star = star
        self.hairline = hairline
        self.placeholder = placeholder
        self.placeholderInk = placeholderInk
        self.up = up
        self.down = down
        self.new = new
    }

    private static let light = SheetTheme(
        background: .white, text: Colour(0x14161a), quietText: Colour(0x5c6370), rule: Colour(0xd8dbe1), star: Colour(0x9a6700),
        hairline: .black.opacity(0.10), placeholder: Colour(0xeceef1), placeholderInk: Colour(0xa9afba), up: Colour(0x1a7f4b),
        down: Colour(0xb3391f), new: Colour(0x1f5fbf))

    private static let dark = SheetTheme(
        background: Colour(0x121418), text: Colour(0xf1f2f4), quietText: Colour(0xa2a9b4), rule: Colour(0x2e323a), star: Colour(0xf2c14e),
        hairline: .white.opacity(0.12), placeholder: Colour(0x22262d), placeholderInk: Colour(0x596170), up: Colour(0x5bc98c),
        down: Colour(0xff8f78), new: Colour(0x86b4ff))

    /// A placeholder's ground for a poster whose colour is known: that colour, held back towards the theme's own.
    func placeholder(tintedWith colour: Colour?) -> (ground: Colour, ink: Colour) {
        guard let colour else { return (placeholder, placeholderInk) }
        let ground = placeholder.mixed(with: colour, share: 0.45)
        return (ground, ground.mixed(with: ground.luminance > 0.35 ? .black : .white, share: 0.35))
    }
}
