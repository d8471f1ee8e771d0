import Drawing
import FoundationEssentials
import Imaging
import Mirroring
import Testing

@testable import Reports

@Suite("What a contact sheet looks like")
struct SheetGoldenTests {
    @Test(
        "A sheet of posters, a placeholder and captions looks as it did, whatever the version of the fonts",
        arguments: [
            (SheetOptions.Theme.light, light), (.dark, dark),
        ])
    func golden(_ theme: SheetOptions.Theme, _ golden: String) async throws {
        try await withRenderer { root, renderer in
            var manifest = SheetFixture.manifest(count: 6, names: ["Harbour Lights at Night and by Day", "أضواء الميناء", "Salt"])
            for (place, colour) in [Colour(0xc03020), Colour(0x206040), Colour(0x2040c0), Colour(0xe0c040)].enumerated() {
                let bytes = try await renderer.encode(SheetFixture.picture(colour, corner: .white), as: .jpeg, quality: 90)
                manifest.titles[place].poster = try SheetFixture.poster(bytes, in: root, width: 185)
            }
            manifest.titles[4].poster = Manifest.Poster(path: "/x.jpg", colour: "#703010", placeholder: nil, sizes: [:])
            _ = try await ContactSheet.write(
                manifest, cache: root, options: SheetOptions(columns: 3, theme: theme), to: root + "/s.png", renderer: renderer)
            let sheet = [UInt8](try Data(contentsOf: URL(filePath: root + "/s.png")))
            let rows = golden.split(separator: "\n").map(Array.init)
            let small = try await renderer.pixels(of: sheet, recipe: Recipe("cover,\(rows[0].count)x\(rows.count),radius=0,png"))
            let levels = stride(from: 0, to: small.rgba.count, by: 4).map { place -> Int in
                (Int(small.rgba[place]) * 2 + Int(small.rgba[place + 1]) * 5 + Int(small.rgba[place + 2])) / 8
            }
            let seen = rows.indices.map { row in
                levels[row * rows[0].count..<(row + 1) * rows[0].count].map { String($0 / 16, radix: 16) }.joined()
            }
            let differences = zip(levels, rows.joined()).map { level, digit in abs(level / 16 - digit.hexDigitValue!) }
            // Other letters change the squares that they stand in, mostly little; a poster that is elsewhere changes many, and much.
            let far = differences.count { $0 > 2 }
            let mean = Double(differences.reduce(0, +)) / Double(differences.count)
            #expect(far <= differences.count / 50 && mean < 0.3, "\(far) squares, \(mean):\n\(seen.joined(separator: "\n"))")
        }
    }
}

/// The sheets' brightness in squares, 0 for black to f for white.
private let light = """
    ffffffffffffffffffffffffffffffffffff
    ffffffffffffffffffffffffffffffffffff
    fcdddcdedddcdfffffffffffffffffffefff
    fccbababcabbbfffffffffffffffffffcdce
    ffffffeeffffffffffffffffffffffffffef
    ffffffffffffffffffffffffffffffffffff
    fffffffffffffffffffefefffffffffeffff
    ffffff95665cffffff85555cffffff84555c
    ffffff845549ffffff834439ffffff734439
    ffffff845549ffffff844439ffffff73443a
    ffffff845549ffffff844439ffffff73443a
    ffffff845549ffffff844439ffffff73443a
    ffffff845549ffffff844439ffffff73443a
    ffffff845549ffffff844439ffffff73443a
    ffefef845549feeeef744439feeeef73443a
    f75666555549f6565554443af6555544443a
    f64444555549f5444444443af5444444443a
    f64555555549f5444444443af5444444443a
    f64555555549f5444444443af5444444443a
    f64555555549f5444444443af5444444443a
    f64555555549f5444444443af5444444443a
    f64544444549f54444444439f54444444439
    f9555555555bf8555555555cf7455555555c
    ffffffffffffffffffffffffffffffffffff
    feeefeefeeeffffffffeeeeefdffffffffff
    fcbcccdedcdfffffffedddcefcdfffffffff
    fdddceffffffffffffffffefffffefffffff
    ffffffffffffffffffffffffffffffffffff
    ffffffffffffffffffffffffffffffffffff
    ffffffdbcccefcaaaaaaaaaeffefffffffff
    ffffffcbbbbdfa999999999cfeeeeeeeeeef
    ffffffdbbbbdfa999999999cfeeeeeeeeeef
    ffffffdbbbbdfa999999999cfeeeeeeeeeef
    ffffffdbbbbdfa999999999cfeeeeeeeeeef
    ffffffdbbbbdfa999999999cfeeeeeeeeeef
    ffffffdbbbbdfa999aaa999cfeeeeeeeeeef
    ffffffcbbbbdfa99aaaaa99cfeefddedeeef
    fcccccbbbbbdfa99aa9aa99cfeefddedeeef
    fbbbbbbbbbbdfa99aaaa999cfeeeedeeeeef
    fcbbbbbbbbbdfa999999999cfeeeeeeeeeef
    fcbbbbbbbbbdfa999999999cfeeeeeeeeeef
    fcbbbbbbbbbdfa999999999cfeeeeeeeeeef
    fcbbbbbbbbbdfa999999999cfeeeeeeeeeef
    fcbbbbbbbbbdfa999999999cfeeeeeeeeeef
    fcbbbbbbbbbefb999999999dffeeeeeeeeef
    ffffffffffffffffffffffffffffffffffff
    fefffffffffffefffffffffffeefefffffff
    fdccdffffffffdcddffffffffdcddfffffff
    fefffffffffffffffffffffffeffffffffff
    ffffffffffffffffffffffffffffffffffff
    ffffffffffffffffffffffffffffffffffff
    ffffffffffffffffffffffffffffffffffff
    """

private let dark = """
    111111111111111111111111111111111111
    100000000000011111111111111111111111
    143334323334311111111111111111112221
    144555654655511111111111111111114343
    111111221110011111111111111111110121
    111111111111111111111111111111111111
    112222111111112222111111112222111111
    1afeef8444420afeee7344421bfeef734442
    1dffff8455531effff8444522effff734443
    1dffff8455531effff8444522effff734442
    1dffff8455531effff8444522effff734442
    1dffff8455531effff8444522effff734442
    1dffff8455531effff8444522effff734442
    1dffff8455531effff8444522effff734442
    1cfeef8455531dfeef7444522dfeef734442
    156666555553156555544443155555444442
    144444555553144444444443144444444442
    145555555553144444444443144444444442
    145555555553144444444443144444444442
    145555555553144444444443144444444442
    145555555553144444444443144444444442
    145555555553144444444453144444444443
    135545545552134444444442134444444442
    111111111111111111111111111111111111
    122212222321111111222222132111111111
    145444433431111111233342143111111111
    134342010001111111112121121221111111
    121111111111111111111111111111111111
    101111111111111111111111111111111111
    09edddb999a4022222222221112222222221
    1dffffdbbbc7033333333332122222222221
    1dffffcbbbc7023222222232122222222221
    1dffffdbbbc7023222222232122222222221
    1dffffdbbbc7023222222232122222222221
    1dffffdbbbc7022222222232122222222221
    1dffffdbbbc7023233332232122222222221
    1dffffcbbbc7023234343232122233232221
    1accccbbbbc7023234343232122233232221
    19bbbbbbbbc7023234333232122223332221
    19bbbbbbbbc7022222222232122222222221
    19bbbbbbbbc7023222222232122222222221
    19bbbbbbbbc7023222222232122222222221
    19bbbbbbbbc7023222222232122222222221
    1abbbbbbbbc7022222222232122222222221
    18bbbbbbbbb5023222222231122222222221
    112222222221111111111111111111111111
    121111000001122221111111122221111111
    134431111111134431111111134331111111
    121121111111122121111111121121111111
    111111111111111111111111111111111111
    111111111111111111111111111111111111
    111111111111111111111111111111111111
    """
