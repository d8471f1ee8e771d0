/// How a picture is derived from an original. Its canonical text is its identity, in the cache as in manifests.
///
/// `docs/recipes.md` describes the text form. The canonical text spells every default out, so that a default changed later makes another recipe.
package struct Recipe: Sendable, Hashable {
    package enum Fit: String, Sendable, CaseIterable {
        /// Fills the box and cuts off what stands out, equally on both sides.
        case cover
        /// Shows the whole picture, centred in a box of exactly the size asked for.
        case contain
        /// Shows the whole picture, no larger than the box.
        case inside
    }

    /// A corner radius, in thousandths so that texts and sizes are exact.
    enum Radius: Sendable, Hashable {
        case milliPixels(Int)
        /// Of the picture's width.
        case milliPercent(Int)
    }

    /// A colour of 8-bit sRGB.
    package struct RGB: Sendable, Hashable {
        package var red: UInt8
        package var green: UInt8
        package var blue: UInt8

        package init(red: UInt8, green: UInt8, blue: UInt8) {
            (self.red, self.green, self.blue) = (red, green, blue)
        }

        package static let white = RGB(red: 255, green: 255, blue: 255)
        package static let black = RGB(red: 0, green: 0, blue: 0)
    }

    package internal(set) var fit: Fit
    /// At least one of both, or neither: then the size comes from ``resolved(forWidth:)``.
    package internal(set) var width: Int?
    package internal(set) var height: Int?
    var radius: Radius
    /// What lies behind rounded corners, the bars of `contain` and a transparent original; nil keeps them transparent.
    var background: RGB?
    package internal(set) var enlarge: Bool
    package internal(set) var format: ImageFormat
    /// 1 to 100; nil for PNG, which loses nothing.
    package internal(set) var quality: Int?
    /// How much time the encoder takes to save bytes, within the format's ``ImageFormat/efforts``; nil for JPEG, which has one way only.
    package internal(set) var effort: Int?

    /// The largest side of a picture that is made, which is WebP's.
    static let maximumSide = 16_383
    /// More pixels than this are not made of one picture: a decoded pixel takes four bytes, and encoders several times that.
    package static let maximumPixels = 40_000_000

    /// Rounded thumbnails of the size asked for: `cover,radius=10%,webp` at the default quality.
    package static let standard = Recipe(
        fit: .cover, width: nil, height: nil, radius: .milliPercent(10_000), background: nil, enlarge: false, format: .webp,
        quality: ImageFormat.webp.defaultQuality, effort: ImageFormat.webp.defaultEffort)

    package var hasDimensions: Bool { width != nil || height != nil }

    /// This recipe for pictures `width` pixels wide: without dimensions of its own it gets `width` × 3/2 `width` (rounded half up, a poster's
    /// shape); a radius in percent becomes pixels as soon as the width is known.
    package func resolved(forWidth width: Int) -> Recipe {
        var resolved = self
        if !hasDimensions {
            resolved.width = min(max(1, width), Self.maximumSide)
            resolved.height = min(max(1, (3 * width + 1) / 2), Self.maximumSide)
        }
        if case .milliPercent(let percent) = radius, let width = resolved.width {
            resolved.radius = .milliPixels((width * percent + 50) / 100)
            if resolved.radius == .milliPixels(0) { resolved.radius = Self.noRadius }
        }
        return resolved
    }

    static let noRadius = Radius.milliPixels(0)

    /// Pixels that are held while this recipe makes something of an original of `width` × `height`.
    package func pixelCount(ofWidth width: Int, height: Int) -> Int {
        let layout = Layout(self, width: max(1, width), height: max(1, height))
        return layout.width * layout.height
    }
}

extension Recipe: CustomStringConvertible {
    /// The canonical text.
    package var description: String {
        var words = [fit.rawValue]
        if hasDimensions { words.append("\(width.map(String.init) ?? "")x\(height.map(String.init) ?? "")") }
        switch radius {
        case .milliPixels(let amount): words.append("radius=\(Self.text(thousandths: amount))")
        case .milliPercent(let amount): words.append("radius=\(Self.text(thousandths: amount))%")
        }
        if let background { words.append("background=\(background)") }
        if enlarge { words.append("enlarge") }
        words.append(format.rawValue)
        if let quality { words.append("q=\(quality)") }
        if let effort { words.append("effort=\(effort)") }
        return words.joined(separator: ",")
    }

    private static func text(thousandths: Int) -> String {
        var digits = String(thousandths % 1000 + 1000).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return digits.isEmpty ? "\(thousandths / 1000)" : "\(thousandths / 1000).\(digits)"
    }
}

extension Recipe.RGB: CustomStringConvertible {
    /// `#rrggbb`.
    package var description: String {
        "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
