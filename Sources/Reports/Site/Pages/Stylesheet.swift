internal import Core

/// The site's one stylesheet: what every site has, and a class for each placeholder colour in use.
///
/// Colours are classes because a strict Content-Security-Policy forbids `style` attributes. They are rounded to 16 steps a channel, which
/// nobody sees behind a poster that is about to arrive, so that there are few of them however many titles there are.
enum Stylesheet {
    /// How wide a poster is at each width of the window, as the grid in `base` lays it out.
    static let cardSizes =
        "(min-width: 1360px) 193px, (min-width: 1280px) calc(16.7vw - 34px), (min-width: 1024px) calc(20vw - 32px), "
        + "(min-width: 768px) calc(25vw - 34px), (min-width: 480px) calc(33.3vw - 29px), calc(50vw - 24px)"
    /// The poster that takes two columns at its widest.
    static let leadWidth = 413
    /// The same as ``cardSizes`` for that poster.
    static let leadSizes =
        "(min-width: 1360px) 413px, (min-width: 1280px) calc(33.3vw - 40px), (min-width: 1024px) calc(40vw - 40px), "
        + "(min-width: 768px) calc(50vw - 44px), (min-width: 480px) calc(66.7vw - 39px), calc(100vw - 32px)"

    /// - Parameter colour: `#rrggbb`.
    static func className(ofColour colour: String) -> String { "k" + rounded(colour) }

    static func css(colours: some Sequence<String>) -> [UInt8] {
        let rules = Set(colours.map(rounded)).sorted().map { ".k\($0){background-color:#\($0)}" }
        return Array((base + rules.joined(separator: "\n") + "\n").utf8)
    }

    // MARK: - Private

    private static func rounded(_ colour: String) -> String {
        let digits = colour.utf8.dropFirst().map { Character(Unicode.Scalar($0)).hexDigitValue ?? 0 }
        guard digits.count == 6 else { return "888" }
        return [0, 2, 4].map { String((digits[$0] * 16 + digits[$0 + 1] + 8) / 17, radix: 16) }.joined()
    }
}
