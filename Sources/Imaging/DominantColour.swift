internal import Glibc

/// The colour that a picture is remembered by: the one of its largest group of similar colours, lively groups counting for more.
enum DominantColour {
    /// - Parameter pixels: few, such as 32 × 48.
    static func of(_ pixels: Raster) -> Recipe.RGB {
        var colours: [OKLab] = []
        let from = pixels.bytes.baseAddress!.assumingMemoryBound(to: UInt8.self)
        for pixel in 0..<pixels.width * pixels.height {
            let source = from + pixel * pixels.bands
            // What can hardly be seen has no colour to remember.
            if pixels.bands == 4, source[3] < 128 { continue }
            colours.append(OKLab(red: source[0], green: source[1], blue: source[2]))
        }
        guard !colours.isEmpty else { return Recipe.RGB(red: 128, green: 128, blue: 128) }
        let groups = groups(colours)
        let best = groups.max { $0.weight < $1.weight }!
        return best.centre.rgb
    }

    private struct Group {
        var centre: OKLab
        var sum = OKLab(lightness: 0, a: 0, b: 0)
        var count = 0

        /// Grey, black and white are background more often than subject.
        var weight: Double {
            let chroma = (centre.a * centre.a + centre.b * centre.b).squareRoot()
            let isExtreme = centre.lightness < 0.15 || centre.lightness > 0.95
            return Double(count) * (0.25 + min(chroma, 0.2) * 5) * (isExtreme ? 0.3 : 1)
        }
    }

    /// Six groups by k-means, begun with colours far apart: the same for the same pixels, always.
    private static func groups(_ colours: [OKLab]) -> [Group] {
        var groups = [Group(centre: colours[colours.count / 2])]
        var distances = colours.map { $0.distance(to: groups[0].centre) }
        while groups.count < 6 {
            let farthest = distances.indices.max { distances[$0] < distances[$1] }!
            if distances[farthest] < 0.001 { break }
            groups.append(Group(centre: colours[farthest]))
            for index in colours.indices { distances[index] = min(distances[index], colours[index].distance(to: colours[farthest])) }
        }
        for _ in 0..<6 {
            for index in groups.indices {
                groups[index].sum = OKLab(lightness: 0, a: 0, b: 0)
                groups[index].count = 0
            }
            for colour in colours {
                var (nearest, least) = (0, Double.infinity)
                for index in groups.indices {
                    let distance = colour.distance(to: groups[index].centre)
                    if distance < least { (nearest, least) = (index, distance) }
                }
                groups[nearest].sum.add(colour)
                groups[nearest].count += 1
            }
            for index in groups.indices where groups[index].count > 0 {
                groups[index].centre = groups[index].sum.divided(by: Double(groups[index].count))
            }
        }
        return groups
    }
}

/// A colour in Ottosson's OKLab space, where distance is close to what the eye sees.
private struct OKLab {
    var lightness: Double
    var a: Double
    var b: Double

    init(lightness: Double, a: Double, b: Double) {
        (self.lightness, self.a, self.b) = (lightness, a, b)
    }

    init(red: UInt8, green: UInt8, blue: UInt8) {
        let (r, g, b) = (Self.linear[Int(red)], Self.linear[Int(green)], Self.linear[Int(blue)])
        let long = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
        let medium = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
        let short = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
        lightness = 0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short
        a = 1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short
        self.b = 0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short
    }

    var rgb: Recipe.RGB {
        func cube(_ value: Double) -> Double { value * value * value }
        let long = cube(lightness + 0.3963377774 * a + 0.2158037573 * b)
        let medium = cube(lightness - 0.1055613458 * a - 0.0638541728 * b)
        let short = cube(lightness - 0.0894841775 * a - 1.2914855480 * b)
        return Recipe.RGB(
            red: Self.encoded(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
            green: Self.encoded(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
            blue: Self.encoded(-0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short))
    }

    func distance(to other: OKLab) -> Double {
        let (dl, da, db) = (lightness - other.lightness, a - other.a, b - other.b)
        return dl * dl + da * da + db * db
    }

    mutating func add(_ other: OKLab) {
        lightness += other.lightness
        a += other.a
        b += other.b
    }

    func divided(by count: Double) -> OKLab { OKLab(lightness: lightness / count, a: a / count, b: b / count) }

    private static let linear: [Double] = (0...255).map {
        let value = Double($0) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private static func encoded(_ linear: Double) -> UInt8 {
        let value = min(max(linear, 0), 1)
        let encoded = value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
        return UInt8((encoded * 255).rounded())
    }
}
