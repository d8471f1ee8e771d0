import FoundationEssentials
import TestSupport

/// Pictures that the `vips` command makes: other code than ours, and other options than our encoder's.
enum Pictures {
    /// Soft colour gradients with some noise, of `width` × `height`, in the format of `suffix` (such as `.jpg[Q=90]`).
    static func make(_ width: Int, _ height: Int, _ suffix: String, then commands: String = "") async throws -> [UInt8] {
        try await withTemporaryDirectory { directory in
            try scene(width, height, in: directory)
            let name = suffix.prefix { $0 != "[" }
            try shell("cd \(directory) && cp scene.v in.v && \(commands.isEmpty ? "true" : commands) && vips copy in.v 'out\(suffix)'")
            return try readFile("\(directory)/out\(name)")
        }
    }

    /// Leaves `scene.v` in `directory`: red grows to the right, green downwards, blue is a pattern.
    static func scene(_ width: Int, _ height: Int, in directory: String) throws {
        try shell(
            """
            cd \(directory) && vips xyz xyz.v \(width) \(height) \
            && vips extract_band xyz.v x.v 0 && vips extract_band xyz.v y.v 1 \
            && vips linear x.v r.v \(250.0 / Double(width)) 2 && vips linear y.v g.v \(250.0 / Double(height)) 2 \
            && vips gaussnoise noise.v \(width) \(height) --mean 128 --sigma 6 --seed 7 \
            && vips bandjoin 'r.v g.v noise.v' joined.v && vips cast joined.v uchar.v uchar \
            && vips copy uchar.v scene.v --interpretation srgb
            """)
    }

    /// The bands of each pixel of a picture, read by the `vips` command.
    static func pixels(_ bytes: [UInt8], _ fileExtension: String) async throws -> Pixels {
        try await withTemporaryDirectory { directory in
            try writeFile(bytes, "\(directory)/in.\(fileExtension)")
            try shell("cd \(directory) && vips copy in.\(fileExtension) in.v && vips rawsave in.v out.raw")
            let header = try shell("cd \(directory) && vipsheader -f width in.v && vipsheader -f height in.v && vipsheader -f bands in.v")
            let numbers = header.split(separator: "\n").compactMap { Int($0) }
            return Pixels(width: numbers[0], height: numbers[1], bands: numbers[2], bytes: try readFile("\(directory)/out.raw"))
        }
    }
}

struct Pixels {
    let width: Int
    let height: Int
    let bands: Int
    let bytes: [UInt8]

    subscript(x: Int, y: Int) -> [UInt8] {
        let start = (y * width + x) * bands
        return Array(bytes[start..<start + bands])
    }

    /// The mean absolute difference of all bands.
    func distance(to other: Pixels) -> Double {
        precondition(bytes.count == other.bytes.count)
        let sum = zip(bytes, other.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(bytes.count)
    }
}
