import Imaging
import TestSupport
import Testing

@Suite("Odd originals: animations, heavy metadata, other colour spaces, absurd counts")
struct OddPictureTests {
    private func render(_ bytes: [UInt8], limits: ImageLimits = .standard) async throws -> Rendering {
        try await Renderer.withRenderer(threads: 1, limits: limits) { try await $0.render(bytes, recipes: [Recipe("inside,90x135,png")]) }
    }

    private func refusal(_ bytes: [UInt8], limits: ImageLimits = .standard) async throws -> ImagingError.Code? {
        do {
            _ = try await render(bytes, limits: limits)
            return nil
        } catch let error as ImagingError {
            return error.code
        }
    }

    @Test("Of an animation the first frame is drawn, and more frames than the limit are refused", arguments: [("gif", 12.0), ("webp", 9)])
    func animation(fileExtension: String, tolerance: Double) async throws {
        let animated = try await withTemporaryDirectory { directory in
            try writeFile(Pictures.scene(90, 135), "\(directory)/scene.ppm")
            try await shell(
                """
                cd \(directory) && vips invert scene.ppm other.v && vips flip scene.ppm third.v vertical \
                && vips join scene.ppm other.v two.v vertical && vips join two.v third.v all.v vertical \
                && vips \(fileExtension)save all.v out.\(fileExtension) --page-height 135
                """)
            #expect(try await shell("vipsheader -f n-pages \(directory)/out.\(fileExtension)").hasPrefix("3"))
            return try readFile("\(directory)/out.\(fileExtension)")
        }
        let rendering = try await render(animated)
        #expect((rendering.header.widthPixels, rendering.header.heightPixels) == (90, 135))
        let pixels = try await Pictures.pixels(rendering.images[0].bytes, "png")
        let scene = try await Pictures.pixels(try await Pictures.make(90, 135, ".png"), "png")
        #expect(pixels.distance(to: scene) < tolerance)
        let limits = ImageLimits(maximumPixels: 1_000_000, maximumSide: 1_000, maximumFrames: 2)
        #expect(try await refusal(animated, limits: limits) == .tooManyPixels)
    }

    @Test("An animation of two thousand frames in a few kilobytes is refused, one of thirty is not")
    func manyFrames() async throws {
        func gif(frames: Int) -> [UInt8] {
            let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 0x01, 0]
            let head = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF]
            return head + Array(repeatElement(frame, count: frames).joined()) + [0x3B]
        }
        #expect(try await refusal(gif(frames: 30)) == nil)
        #expect(try await refusal(gif(frames: 2_000)) == .tooManyPixels)
    }

    @Test(
        "Metadata of any size, and metadata that makes no sense, costs no picture",
        arguments: [
            // An entry count, offsets and a next directory that lead beyond the end or in a circle.
            [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0xFF, 0xFF, 0x01, 0x12, 0, 3], [0x4D, 0x4D, 0, 0x2A, 0xFF, 0xFF, 0xFF, 0xF0],
            [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 0, 0, 0, 0, 8],
            [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 99],
            [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 1, 0, 0x69, 0x87, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0], [],
        ] as [[UInt8]])
    func metadata(tiff: [UInt8]) async throws {
        let jpeg = try await Pictures.make(90, 135, ".jpg[Q=85]")
        for (length, segments) in [(0, 1), (65_000, 1), (65_000, 60)] {
            let payload = Array("Exif\0\0".utf8) + tiff + Array(repeating: 0x41, count: length)
            let segment = [0xFF, 0xE1, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 255)] + payload
            let bytes = Array(jpeg[..<2]) + Array(repeatElement(segment, count: segments).joined()) + Array(jpeg[2...])
            let header = try await render(bytes).header
            #expect((header.widthPixels, header.heightPixels) == (90, 135), "\(length) bytes, \(segments) times")
        }
    }

    @Test("A picture in Adobe RGB looks as it was meant, not as its numbers would in sRGB")
    func adobeRGB() async throws {
        let scene = try await Pictures.pixels(try await Pictures.make(90, 135, ".png"), "png")
        let (with, without) = try await withTemporaryDirectory { directory in
            try writeFile(ColourProfile.adobeRGB, "\(directory)/adobe.icc")
            let convert = "vips icc_transform scene.ppm in.v \(directory)/adobe.icc --input-profile srgb"
            return (
                try await Pictures.make(90, 135, ".jpg[Q=100,subsample_mode=off]", then: convert),
                try await Pictures.make(90, 135, ".jpg[Q=100,subsample_mode=off,strip]", then: convert)
            )
        }
        let meant = try await Pictures.pixels(try await render(with).images[0].bytes, "png").distance(to: scene)
        let plain = try await Pictures.pixels(try await render(without).images[0].bytes, "png").distance(to: scene)
        #expect(meant < 4 && plain > 2 * meant, "\(meant) with its profile, \(plain) without")
    }

    @Test("A profile that is noise, cut off, or for another kind of picture costs no picture", arguments: [0, 1, 2])
    func badProfile(kind: Int) async throws {
        var profile = ColourProfile.adobeRGB
        switch kind {
        case 0: for index in 128..<profile.count { profile[index] = UInt8(truncatingIfNeeded: index &* 37) }
        case 1: profile = Array(profile[..<140])
        default: profile.replaceSubrange(16..<20, with: Array("CMYK".utf8))
        }
        let jpeg = try await Pictures.make(90, 135, ".jpg[Q=85]")
        let payload = Array("ICC_PROFILE\0".utf8) + [1, 1] + profile
        let segment = [0xFF, 0xE2, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 255)] + payload
        #expect(try await refusal(Array(jpeg[..<2]) + segment + Array(jpeg[2...])) == nil)
    }

    @Test("An AVIF that promises absurdly many items, places or properties is refused", arguments: ["iinf", "iloc", "ipma", "ispe"])
    func absurdCounts(box: String) async throws {
        var avif = try await Pictures.make(64, 64, ".avif[effort=1]")
        let type = Array(box.utf8)
        let at = try #require(avif.indices.first { avif[$0...].starts(with: type) })
        // Whatever follows version and flags: counts, sizes of fields, widths.
        for index in at + 8..<min(at + 16, avif.count) { avif[index] = 0xFF }
        let code = try await refusal(avif)
        #expect(code == .damagedImage || code == .tooManyPixels || code == .truncatedImage, "\(String(describing: code))")
    }

    @Test("An AVIF's absurd counts with nothing behind them are refused")
    func emptyTables() async throws {
        func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
            let size = content.count + 8
            return [UInt8(size >> 24), UInt8(size >> 16 & 255), UInt8(size >> 8 & 255), UInt8(size & 255)] + Array(type.utf8) + content
        }
        let handler = box("hdlr", Array(repeating: 0, count: 8) + Array("pict".utf8) + Array(repeating: 0, count: 13))
        let items = box("iinf", [1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF])
        let places = box("iloc", [2, 0, 0, 0, 0x44, 0, 0xFF, 0xFF, 0xFF, 0xFF])
        let meta = box("meta", [0, 0, 0, 0] + handler + box("pitm", [0, 0, 0, 0, 0, 1]) + places + items)
        let file = box("ftyp", Array("avif\0\0\0\0avifmif1".utf8)) + meta + box("mdat", Array(repeating: 0, count: 16))
        #expect(try await refusal(file) == .damagedImage)
    }
}
