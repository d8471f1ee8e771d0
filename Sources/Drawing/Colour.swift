/// A colour of sRGB with its opacity, each part from 0 to 1.
package struct Colour: Sendable, Hashable {
    package var red: Double
    package var green: Double
    package var blue: Double
    package var opacity: Double

    package init(red: Double, green: Double, blue: Double, opacity: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.opacity = opacity
    }

    /// A colour given as `0xrrggbb`.
    package init(_ hex: UInt32, opacity: Double = 1) {
        self.init(
            red: Double(hex >> 16 & 0xff) / 255, green: Double(hex >> 8 & 0xff) / 255, blue: Double(hex & 0xff) / 255, opacity: opacity)
    }

    /// The colour written as `#rrggbb`; nil for anything else.
    package init?(_ text: String) {
        guard text.utf8.count == 7, text.hasPrefix("#"), text.dropFirst().allSatisfy(\.isHexDigit) else { return nil }
        guard let hex = UInt32(text.dropFirst(), radix: 16) else { return nil }
        self.init(hex)
    }

    package static let black = Colour(0x000000)
    package static let white = Colour(0xffffff)

    /// This colour with another opacity.
    package func opacity(_ opacity: Double) -> Colour {
        Colour(red: red, green: green, blue: blue, opacity: opacity)
    }

    /// This colour with a share (0 to 1) of `other` stirred in.
    package func mixed(with other: Colour, share: Double) -> Colour {
        func mix(_ from: Double, _ to: Double) -> Double { from + (to - from) * share }
        return Colour(
            red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue), opacity: mix(opacity, other.opacity))
    }

    /// Relative luminance as WCAG 2 defines it, 0 for black to 1 for white.
    package var luminance: Double {
        // A cubic that follows sRGB's curve to within a hundredth, which a choice between colours does not notice.
        func linear(_ part: Double) -> Double { part * (part * (part * 0.305306011 + 0.682171111) + 0.012522878) }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// The contrast between two colours as WCAG 2 defines it, 1 to 21.
    package func contrast(with other: Colour) -> Double {
        let (low, high) = (min(luminance, other.luminance), max(luminance, other.luminance))
        return (high + 0.05) / (low + 0.05)
    }
}
