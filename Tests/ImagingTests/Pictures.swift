import FoundationEssentials
import TestSupport

/// Pictures that the `vips` command makes: other code than ours, and other options than our encoder's.
enum Pictures {
    /// A scene of `width` × `height` in the format of `suffix` (such as `.jpg[Q=90]`).
    ///
    /// - Parameter commands: shell commands that make `in.v` of `scene.ppm`; by default they are the same.
    static func make(_ width: Int, _ height: Int, _ suffix: String, then commands: String? = nil) async throws -> [UInt8] {
        try await withTemporaryDirectory { directory in
            try writeFile(scene(width, height), "\(directory)/scene.ppm")
            let name = suffix.prefix { $0 != "[" }
            if let commands {
                try await shell("cd \(directory) && \(commands) && vips copy in.v 'out\(suffix)'")
            } else {
                try await shell("cd \(directory) && vips copy scene.ppm 'out\(suffix)'")
            }
            return try readFile("\(directory)/out\(name)")
        }
    }

    /// Red grows to the right, green downwards, blue is a fine pattern; as a PPM file.
    static func scene(_ width: Int, _ height: Int) -> [UInt8] {
        let head = Array("P6\n\(width) \(height)\n255\n".utf8)
        return [UInt8](unsafeUninitializedCapacity: head.count + width * height * 3) { buffer, count in
            var at = buffer.update(fromContentsOf: head)
            var noise: UInt32 = 1
            for y in 0..<height {
                for x in 0..<width {
                    noise = noise &* 1_664_525 &+ 1_013_904_223
                    buffer[at] = UInt8(x * 250 / width)
                    buffer[at + 1] = UInt8(y * 250 / height)
                    buffer[at + 2] = UInt8(100 + noise >> 27)
                    at += 3
                }
            }
            count = at
        }
    }

    /// The bands of each pixel of a picture, read by the `vips` command.
    static func pixels(_ bytes: [UInt8], _ fileExtension: String) async throws -> Pixels {
        try await withTemporaryDirectory { directory in
            try writeFile(bytes, "\(directory)/in.\(fileExtension)")
            // Such as "in.png: 185x278 uchar, 4 bands, srgb, pngload".
            let header = try await shell("cd \(directory) && vips rawsave in.\(fileExtension) out.raw && vipsheader in.\(fileExtension)")
            // Warnings come before it.
            let words = (header.split(separator: "\n").last ?? "").split { $0 == " " || $0 == "," }
            let sides = words[1].split(separator: "x").compactMap { Int($0) }
            guard sides.count == 2, let bands = Int(words[3]), words[2] == "uchar" else { throw TestSupportError("unexpected: \(header)") }
            return Pixels(width: sides[0], height: sides[1], bands: bands, bytes: try readFile("\(directory)/out.raw"))
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
