/// How text looks, apart from its colour.
package struct TextStyle: Sendable, Hashable {
    /// Font families, the best first, with commas between them; what none of them has comes from any font of the machine.
    package var family: String
    /// In the canvas's units.
    package var size: Double
    /// 100 (thin) to 900 (black); 400 is regular, 700 bold.
    package var weight: Int
    package var isItalic: Bool
    /// Extra space between letters, in the canvas's units. Leave it at 0 for scripts whose letters join.
    package var letterSpacing: Double
    /// The distance between baselines, as a multiple of `size`; 0 leaves it to the font.
    package var lineHeight: Double
    /// OpenType features, as pango writes them: `tnum=1`.
    package var features: String

    package init(
        family: String = TextStyle.defaultFamily, size: Double, weight: Int = 400, isItalic: Bool = false, letterSpacing: Double = 0,
        lineHeight: Double = 0, features: String = ""
    ) {
        self.family = family
        self.size = size
        self.weight = weight
        self.isItalic = isItalic
        self.letterSpacing = letterSpacing
        self.lineHeight = lineHeight
        self.features = features
    }

    /// Noto Sans where it is installed (Debian: fonts-noto-core), since the other scripts' Noto fonts match it.
    package static let defaultFamily = "Noto Sans, DejaVu Sans, sans-serif"
}

/// To which side lines of text go within their width.
package enum TextAlignment: Sendable {
    /// Where reading begins: left, or right in Arabic and Hebrew text.
    case leading
    case centre
    case trailing
}
