import Imaging
import TestSupport
import Testing

/// WebP made of a JPEG's own planes, held against what the `vips` command makes of the same picture by way of RGB.
@Suite("From a JPEG's planes to WebP")
struct PlanesTests {
    private func render(_ original: [UInt8], _ recipes: String...) async throws -> [RenderedImage] {
        let recipes = try recipes.map { try Recipe($0) }
        return try await Renderer.withRenderer(threads: 1) { try await $0.render(original, recipes: recipes) }.images
    }

    @Test(
        "The picture is at least as near to the original as one that went through RGB",
        arguments: [(342, 513), (185, 277), (1, 1), (1, 2), (2, 1), (17, 23), (16, 16), (500, 751)],
        [".jpg[Q=90]", ".jpg[Q=90,interlace]", ".jpg[Q=90,subsample_mode=off]"])
    func nearness(size: (width: Int, height: Int), suffix: String) async throws {
        let original = try await Pictures.make(size.width, size.height, suffix)
        let image = try await render(original, "inside,\(size.width)x\(size.height),webp")[0]
        #expect((image.widthPixels, image.heightPixels) == size)
        let throughRGB = try await withTemporaryDirectory { directory in
            try writeFile(original, "\(directory)/in.jpg")
            try await shell("cd \(directory) && vips webpsave in.jpg out.webp --Q 80 --effort 2")
            return try readFile("\(directory)/out.webp")
        }
        let exact = try await Pictures.pixels(original, "jpg")
        let distance = try await Pictures.pixels(image.bytes, "webp").distance(to: exact)
        let usual = try await Pictures.pixels(throughRGB, "webp").distance(to: exact)
        #expect(distance <= usual * 1.02 + 0.5)
    }

    @Test("A grey JPEG stays grey, black black and white white", arguments: [0, 1, 97, 254, 255])
    func grey(level: Int) async throws {
        let original = try await Pictures.make(
            40, 60, ".jpg[Q=95]", then: "vips black b.v 40 60 && vips linear b.v in.v 1 \(level) --uchar")
        let image = try await render(original, "inside,40x60,webp")[0]
        let pixels = try await Pictures.pixels(image.bytes, "webp")
        #expect(pixels.bytes.allSatisfy { abs(Int($0) - level) <= 1 })
    }

    @Test("A cut by whole blocks of colour keeps the middle, and so does one that is not", arguments: [180, 181, 182, 183, 184])
    func cut(width: Int) async throws {
        let original = try await Pictures.make(185, 278, ".jpg[Q=95]")
        let images = try await render(original, "cover,\(width)x278,webp,q=95", "cover,\(width)x278,png")
        #expect(images.map(\.widthPixels) == [width, width])
        let (webp, png) = (try await Pictures.pixels(images[0].bytes, "webp"), try await Pictures.pixels(images[1].bytes, "png"))
        #expect(webp.distance(to: png) < 4)
    }

    @Test(
        "What a recipe makes, and the summary, are the same bytes, whatever is made beside it",
        arguments: [
            "cover,185x278,radius=18.5,webp", "cover,500x750,webp", "cover,60x90,radius=6,webp", "inside,90x,jpeg", "inside,20x,png",
        ],
        [".jpg[Q=90]", ".jpg[Q=90,subsample_mode=off]", ".png", ".webp[Q=90]"])
    func independence(recipe: String, suffix: String) async throws {
        let original = try await Pictures.make(500, 750, suffix)
        let others = ["cover,500x750,png", "inside,90x,jpeg", "cover,30x45,webp"].filter { $0 != recipe }
        let (alone, beside) = try await Renderer.withRenderer(threads: 1) { renderer in
            let recipe = try Recipe(recipe)
            let others = try others.map { try Recipe($0) }
            return (
                try await renderer.render(original, recipes: [recipe]), try await renderer.render(original, recipes: others + [recipe])
            )
        }
        #expect(alone.images[0].bytes == beside.images.last?.bytes)
        #expect((alone.colour, alone.placeholder) == (beside.colour, beside.placeholder))
    }

    @Test("A higher effort makes a smaller file", arguments: ["webp", "png", "avif"])
    func effort(format: String) async throws {
        let original = try await Pictures.make(185, 278, ".jpg[Q=90]")
        let efforts = format == "png" ? (1, 6) : (0, 4)
        let images = try await render(
            original, "inside,185x278,\(format),effort=\(efforts.0)", "inside,185x278,\(format),effort=\(efforts.1)")
        #expect(images[1].bytes.count < images[0].bytes.count)
    }
}
