import FoundationEssentials
import Imaging
import TestSupport
import Testing

@Suite("Broken and hostile originals")
struct HostileTests {
    private func refusal(_ bytes: [UInt8], limits: ImageLimits = .standard) async throws -> ImagingError.Code? {
        try await Renderer.withRenderer(threads: 1, limits: limits) { renderer in
            do throws(ImagingError) {
                _ = try await renderer.render(bytes, recipes: [Recipe.standard.resolved(forWidth: 185)])
                return nil
            } catch {
                return error.code
            }
        }
    }

    @Test(
        "A picture that was cut off is refused as truncated, wherever it was cut",
        arguments: [
            ".jpg[Q=85]", ".jpg[Q=85,interlace=true]", ".png", ".png[interlace=true]", ".webp", ".webp[lossless]", ".gif",
            ".avif[Q=50,effort=1]",
        ])
    func truncated(suffix: String) async throws {
        let whole = try await Pictures.make(185, 278, suffix)
        #expect(try await refusal(whole) == nil)
        for percent in [10, 50, 90, 99] {
            #expect(try await refusal(Array(whole[..<(whole.count * percent / 100)])) == .truncatedImage, "\(percent) %")
        }
        #expect(try await refusal(Array(whole.dropLast(2))) == .truncatedImage, "without the last two bytes")
        // Servers that append a line end or a comment do no harm.
        #expect(try await refusal(whole + Array("\n<!-- served by cache 7 -->".utf8)) == nil)
    }

    @Test("A JPEG that lacks coded data before its end marker is refused")
    func jpegWithAHole() async throws {
        let whole = try await Pictures.make(185, 278, ".jpg[Q=85]")
        let half = Array(whole[..<(whole.count / 2)]) + [0xFF, 0xD9]
        let code = try await refusal(half)
        #expect(code == .damagedImage || code == .truncatedImage)
    }

    @Test("What libjpeg only warns of, with the picture whole, passes")
    func benignWarnings() async throws {
        let whole = try await Pictures.make(185, 278, ".jpg[Q=85]")
        // A stray byte between two segments, the first of which is JFIF's of 18 bytes.
        #expect(try await refusal(Array(whole[..<20]) + [0x00] + Array(whole[20...])) == nil)
        let end = whole.count - 2
        #expect(try await refusal(Array(whole[..<end]) + [0x12, 0x34] + Array(whole[end...])) == nil)
    }

    @Test(
        "Other kinds of files are told from pictures by their first bytes, whatever they are called",
        arguments: [
            ("", ImagingError.Code.emptyBody), ("<!doctype html><title>Not found</title>", .notAnImage), (#"{"error": 404}"#, .notAnImage),
            ("GIF", .notAnImage), ("\u{0}\u{0}\u{0}", .notAnImage), ("<svg xmlns='http://www.w3.org/2000/svg'/>", .formatNotAllowed),
            ("<?xml version='1.0'?><svg/>", .formatNotAllowed), ("%PDF-1.7", .formatNotAllowed), ("%!PS-Adobe", .formatNotAllowed),
            ("push graphic-context\nviewbox 0 0 640 480\nfill 'url(https://example.com/)'", .formatNotAllowed),
            ("II*\u{0}\u{8}\u{0}\u{0}\u{0}", .formatNotAllowed),
            ("\u{0}\u{0}\u{0}\u{18}ftypheic\u{0}\u{0}\u{0}\u{0}mif1heic", .formatNotAllowed),
        ])
    func sniffed(text: String, code: ImagingError.Code) async throws {
        #expect(try await refusal(Array(text.utf8)) == code)
    }

    @Test(
        "A picture's head on other bytes makes no loader but that head's own run",
        arguments: [[0xFF, 0xD8, 0xFF, 0xE0], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], Array("GIF89a".utf8)] as [[UInt8]])
    func polyglots(head: [UInt8]) async throws {
        for body in ["<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>", "%PDF-1.4\n%%EOF", "push graphic-context\n"] {
            let code = try await refusal(head + Array(body.utf8))
            #expect(code == .truncatedImage || code == .damagedImage)
        }
    }

    @Test("Real files of formats that are not let in are refused", arguments: [".tif", ".ppm", ".jp2", ".heic[effort=0]", ".v"])
    func forbiddenFormats(suffix: String) async throws {
        let code = try await refusal(try await Pictures.make(64, 64, suffix))
        #expect(code == .formatNotAllowed || code == .notAnImage)
    }

    @Test("A huge picture in a few bytes is refused by its header")
    func decompressionBomb() async throws {
        let bomb = try await withTemporaryDirectory { directory in
            try await shell("cd \(directory) && vips black b.v 30000 30000 && vips pngsave b.v bomb.png --compression 9 --bitdepth 1")
            return try readFile("\(directory)/bomb.png")
        }
        #expect(bomb.count < 200_000)
        #expect(try await refusal(bomb) == .tooManyPixels)
        let small = try await Pictures.make(100, 100, ".jpg")
        let limits = ImageLimits(maximumPixels: 9_999, maximumSide: 100, maximumFrames: 1)
        #expect(try await refusal(small, limits: limits) == .tooManyPixels)
    }

    @Test("A damaged picture is told from a truncated one")
    func damaged() async throws {
        var png = try await Pictures.make(185, 278, ".png")
        png[png.count / 2] ^= 0x55
        #expect(try await refusal(png) == .damagedImage)
        var jpeg = try await Pictures.make(185, 278, ".jpg[Q=85]")
        for index in jpeg.count / 2..<jpeg.count / 2 + 40 { jpeg[index] = 0xD5 }
        _ = try await refusal(jpeg)
    }

    @Test("Strange shapes are pictures too", arguments: [(1, 1), (1, 5000), (5000, 1)])
    func strangeShapes(width: Int, height: Int) async throws {
        let original = try await Pictures.make(width, height, ".png")
        let recipes = [Recipe.standard.resolved(forWidth: 185), try Recipe("inside,100x100"), try Recipe("contain,40x60,radius=50%,png")]
        let rendering = try await Renderer.withRenderer(threads: 1) { try await $0.render(original, recipes: recipes) }
        #expect(rendering.images.count == 3)
        #expect((rendering.images[2].widthPixels, rendering.images[2].heightPixels) == (40, 60))
    }
}
