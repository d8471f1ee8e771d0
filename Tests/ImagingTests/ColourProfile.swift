/// Colour profiles made by hand, as small as the standard allows (ICC.1, version 2).
enum ColourProfile {
    /// Adobe RGB (1998): its primaries adapted to D50, and one gamma of 2.19921875 for all three.
    static let adobeRGB: [UInt8] = {
        let primaries = [
            ("rXYZ", (0.60974, 0.31111, 0.01947)), ("gXYZ", (0.20528, 0.62567, 0.06087)), ("bXYZ", (0.14919, 0.06322, 0.74457)),
        ]
        let white = ("wtpt", (0.9642, 1.0, 0.8249))
        var tags = (primaries + [white]).map { name, xyz in
            (name, Array("XYZ \0\0\0\0".utf8) + fixed(xyz.0) + fixed(xyz.1) + fixed(xyz.2))
        }
        let curve = Array("curv\0\0\0\0".utf8) + number(1) + [0x02, 0x33, 0, 0]
        tags += ["rTRC", "gTRC", "bTRC"].map { ($0, curve) }
        tags.append(("desc", Array("desc\0\0\0\0".utf8) + number(6) + Array("Adobe\0".utf8) + Array(repeating: 0, count: 80)))
        tags.append(("cprt", Array("text\0\0\0\0none\0\0\0\0".utf8)))

        var table = number(tags.count)
        var content: [UInt8] = []
        let start = 128 + 4 + 12 * tags.count
        for (name, bytes) in tags {
            table += Array(name.utf8) + number(start + content.count) + number(bytes.count)
            content += bytes + Array(repeating: 0, count: (4 - bytes.count % 4) % 4)
        }
        var header = number(start + content.count) + number(0) + [2, 0x10, 0, 0] + Array("mntrRGB XYZ ".utf8)
        header += [0x07, 0xE6, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0] + Array("acsp".utf8) + Array(repeating: 0, count: 28)
        header += fixed(0.9642) + fixed(1) + fixed(0.8249)
        header += Array(repeating: 0, count: 128 - header.count)
        return header + table + content
    }()

    /// Four bytes, the most significant first.
    private static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// A number with sixteen bits behind its point: `s15Fixed16Number`.
    private static func fixed(_ value: Double) -> [UInt8] { number(Int((value * 65_536).rounded())) }
}
