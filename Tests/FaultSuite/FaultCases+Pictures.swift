import Core
import FoundationEssentials
import StandIn
import TestSupport

// Files that come as a poster, by the name and the Content-Type of a JPEG.

extension FaultCase {
    static let pictures: [FaultCase] =
        [10, 50, 90, 99].map { percent in
            picture("a JPEG that ends after \(percent) %", "truncated-image", percent == 90 ? .quick : .ordinary) { jpeg in
                Array(jpeg[..<(jpeg.count * percent / 100)])
            }
        } + [
            picture("a JPEG with a hole before its end marker", "damaged-image", "truncated-image") { jpeg in
                Array(jpeg[..<(jpeg.count / 2)]) + [0xFF, 0xD9]
            },
            picture("a JPEG of 65,000 × 65,000 by its header", "too-many-pixels", .quick) { jpeg in
                HostileBytes.withFrameSize(jpeg, width: 65_000, height: 65_000)
            },
            picture("a JPEG of 0 × 0", "damaged-image") { HostileBytes.withFrameSize($0, width: 0, height: 0) },
            picture("a PNG of 30,000 × 30,000 in 68 bytes", "too-many-pixels") { _ in HostileBytes.png(width: 30_000, height: 30_000) },
            picture("a PNG of 0 × 0", "damaged-image") { _ in HostileBytes.png(width: 0, height: 0) },
            picture("a PNG of 2,147,483,647 × 1", "too-many-pixels", "damaged-image") { _ in HostileBytes.png(width: 0x7FFF_FFFF, height: 1)
            },
            picture("a GIF of 65,535 × 65,535", "too-many-pixels", "damaged-image") { _ in HostileBytes.gif(width: 65_535, height: 65_535)
            },
            picture("a WebP that says it is longer than it is", "truncated-image") { _ in
                Array("RIFF".utf8) + [0xFF, 0xFF, 0xFF, 0x7F] + Array("WEBPVP8 ".utf8) + [0xFF, 0xFF, 0xFF, 0x7F, 0, 0]
            },
            picture("an AVIF of 65,535 items", "damaged-image") { _ in HostileBytes.avif(items: 65_535) },
            picture("an AVIF of four billion items", "damaged-image") { _ in HostileBytes.avif(items: 0xFFFF_FFFF) },
            text(
                "an SVG", "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><image href=\"file:///etc/passwd\"/></svg>",
                .quick),
            text("a PDF", "%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\n%%EOF\n"),
            text("PostScript", "%!PS-Adobe-3.0\n(/etc/passwd) (r) file\n"),
            text(
                "an ImageMagick drawing (MVG)",
                "push graphic-context\nviewbox 0 0 640 480\nimage over 0,0 0,0 'ephemeral:/etc/passwd'\npop graphic-context\n"),
            text(
                "an ImageMagick script (MSL)",
                "<?xml version=\"1.0\"?>\n<image><read filename=\"/etc/passwd\"/><write filename=\"/tmp/x\"/></image>\n", "not-an-image"),
            picture("a JPEG's head on an SVG", "truncated-image", "damaged-image") { _ in
                [0xFF, 0xD8, 0xFF, 0xE0] + Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)
            },
            picture("a PNG's head on a PDF", "truncated-image", "damaged-image") { _ in
                [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array("%PDF-1.4\n%%EOF".utf8)
            },
            picture("a TIFF", "format-not-allowed") { _ in [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0] },
            good("a whole JPEG with a ZIP file behind it, which nobody opens") {
                $0 + Array("PK\u{3}\u{4}".utf8) + Array(repeating: 0, count: 60)
            },
            good("a stray byte between two segments") { Array($0[..<20]) + [0x00] + Array($0[20...]) },
            good("an EXIF block of 60 kB") { HostileBytes.withExif($0, byteCount: 60_000) },
        ]

    private static func picture(_ what: String, _ reasons: String..., make: @escaping @Sendable ([UInt8]) -> [UInt8]) -> FaultCase {
        file(what, reasons, .ordinary, make)
    }

    private static func picture(_ what: String, _ reason: String, _ pace: Pace, make: @escaping @Sendable ([UInt8]) -> [UInt8]) -> FaultCase
    {
        file(what, [reason], pace, make)
    }

    private static func text(_ what: String, _ text: String, _ reason: String = "format-not-allowed", _ pace: Pace = .ordinary) -> FaultCase
    {
        file(what, [reason], pace) { _ in Array(text.utf8) }
    }

    private static func text(_ what: String, _ content: String, _ pace: Pace) -> FaultCase {
        text(what, content, "format-not-allowed", pace)
    }

    /// Serves what `make` makes of a whole JPEG in the place of one poster.
    private static func file(_ what: String, _ reasons: [String], _ pace: Pace, _ make: @escaping @Sendable ([UInt8]) -> [UInt8])
        -> FaultCase
    {
        FaultCase(.pictures, what, pace) { bench in
            try await bench.withScene { scene in
                let objects = try await scene.undisturbed()
                let path = try await write(make, in: scene)
                return try await spoil(scene, with: "file=\(path)", reasons: reasons, objects: objects)
            }
        }
    }

    /// The same for a file that has to pass.
    private static func good(_ what: String, _ make: @escaping @Sendable ([UInt8]) -> [UInt8]) -> FaultCase {
        FaultCase(.pictures, what) { bench in
            try await bench.withScene { scene in
                var finding = Finding()
                let path = try await write(make, in: scene)
                try scene.standIn.addFaults("images path=/w342\(try scene.posterPath) file=\(path)")
                let run = try await scene.mirror()
                finding.note("exit \(run.status), all \(run.summary?.fetched ?? 0) had")
                finding.expect(run.ending, status: 0)
                try await scene.audit(&finding)
                return finding
            }
        }
    }

    private static func write(_ make: ([UInt8]) -> [UInt8], in scene: Scene) async throws -> String {
        let root = scene.home + "/pattern"
        let run = try await scene.mirror("--cache", root, "--sizes", "w342", "--top", "1")
        guard run.status == 0, let name = CacheAudit.objects(in: root).first(where: { $0.hasSuffix(".jpg") }) else {
            throw TestSupportError("no pattern: \(run.ending.errors)")
        }
        let jpeg = [UInt8](try Data(contentsOf: URL(filePath: "\(root)/objects/\(name)")))
        let path = scene.home + "/served.jpg"
        try Data(make(jpeg)).write(to: URL(filePath: path))
        return path
    }
}
