import FoundationEssentials
import Imaging
import TestSupport
import Testing

/// What the pictures look like, read back by the `vips` command.
@Suite("Geometry, corners and colour")
struct GeometryTests {
    private func render(_ original: [UInt8], _ recipes: String...) async throws -> [RenderedImage] {
        let recipes = try recipes.map { try Recipe($0) }
        return try await Renderer.withRenderer(threads: 1) { try await $0.render(original, recipes: recipes) }.images
    }

    @Test("A round corner is empty outside, full inside, smooth between, and of the right area", arguments: [18.5, 34.2, 50, 7])
    func corner(radius: Double) async throws {
        let original = try await Pictures.make(185, 278, ".png")
        let image = try await render(original, "185x278,radius=\(radius),png")[0]
        let pixels = try await Pictures.pixels(image.bytes, "png")
        let plain = try await Pictures.pixels(original, "png")

        // Counted, because an expectation for each pixel takes longer than all the rest.
        var missing = 0.0
        var (changedColours, unlikeCorners, backwardEdges) = (0, 0, 0)
        for y in 0..<278 {
            for x in 0..<185 {
                let pixel = pixels[x, y]
                missing += 1 - Double(pixel[3]) / 255
                if Array(pixel[..<3]) != plain[x, y] { changedColours += 1 }
                if pixel[3] != pixels[184 - x, 277 - y][3] { unlikeCorners += 1 }
                if x < 92, y < 139, pixels[x + 1, y][3] < pixel[3] || pixels[x, y + 1][3] < pixel[3] { backwardEdges += 1 }
            }
        }
        #expect((changedColours, unlikeCorners, backwardEdges) == (0, 0, 0))
        let expected = (4 - Double.pi) * radius * radius
        #expect(abs(missing - expected) < expected / 100)
        #expect(pixels[0, 0][3] == 0)
        #expect(pixels[Int(radius) + 1, Int(radius) + 1][3] == 255)
    }

    @Test("WebP's colours under a half transparent corner are those of the picture without corners")
    func webPCorner() async throws {
        let original = try await Pictures.make(342, 513, ".jpg[Q=90]")
        let images = try await render(original, "342x513,radius=34.2,webp", "342x513,webp", "342x513,radius=34.2,png")
        let (round, plain) = (try await Pictures.pixels(images[0].bytes, "webp"), try await Pictures.pixels(images[1].bytes, "webp"))
        let exact = try await Pictures.pixels(images[2].bytes, "png")
        #expect((round.bands, plain.bands) == (4, 3))
        var (otherColours, otherAlphas) = (0, 0)
        for y in 0..<513 {
            for x in 0..<342 {
                if Array(round[x, y][..<3]) != plain[x, y] { otherColours += 1 }
                if round[x, y][3] != exact[x, y][3] { otherAlphas += 1 }
            }
        }
        #expect((otherColours, otherAlphas) == (0, 0))
        try await withTemporaryDirectory { directory in
            try writeFile(images[0].bytes, "\(directory)/round.webp")
            try await shell("cd \(directory) && webpinfo -quiet round.webp && dwebp -quiet round.webp -o round.png")
        }
    }

    @Test("EXIF orientations 1 to 8 of the same scene give the same upright picture", arguments: 1...8)
    func orientation(_ orientation: Int) async throws {
        let upright = try await Pictures.make(120, 180, ".png")
        // What a camera held that way has stored: the inverse of the turn that the number asks for.
        let stored = [
            1: "vips copy scene.ppm t.v", 2: "vips flip scene.ppm t.v horizontal", 3: "vips rot scene.ppm t.v d180",
            4: "vips flip scene.ppm t.v vertical", 5: "vips rot scene.ppm s.v d270 && vips flip s.v t.v vertical",
            6: "vips rot scene.ppm t.v d270", 7: "vips rot scene.ppm s.v d90 && vips flip s.v t.v vertical",
            8: "vips rot scene.ppm t.v d90",
        ]
        let plain = try await Pictures.make(
            120, 180, ".jpg[Q=100,subsample_mode=off]", then: "\(stored[orientation]!) && vips copy t.v in.v")
        let turned = Self.withOrientation(orientation, plain)
        let rendering = try await Renderer.withRenderer(threads: 1) {
            try await $0.render(turned, recipes: [Recipe("inside,120x180,png")])
        }
        #expect(rendering.header == PictureHeader(format: .jpeg, widthPixels: 120, heightPixels: 180))
        let pixels = try await Pictures.pixels(rendering.images[0].bytes, "png")
        #expect((pixels.width, pixels.height) == (120, 180))
        #expect(pixels.distance(to: try await Pictures.pixels(upright, "png")) < 2)
    }

    /// `jpeg` with an EXIF segment that says nothing but its orientation.
    private static func withOrientation(_ orientation: Int, _ jpeg: [UInt8]) -> [UInt8] {
        let tiff: [UInt8] = [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0, 0, 0, 0, 0]
        let payload = Array("Exif\0\0".utf8) + tiff
        return Array(jpeg[..<2]) + [0xFF, 0xE1, 0, UInt8(payload.count + 2)] + payload + Array(jpeg[2...])
    }

    @Test(
        "Each fit gives the size that it should, and never enlarges unasked",
        arguments: [
            ("cover,100x150", 400, 400, 100, 150), ("cover,100x150", 100, 150, 100, 150), ("cover,100x150", 80, 300, 80, 120),
            ("cover,100x150", 50, 50, 33, 50), ("cover,100x150,enlarge", 50, 50, 100, 150), ("contain,100x150", 400, 200, 100, 150),
            ("inside,100x150", 400, 200, 100, 50), ("inside,100x150", 40, 20, 40, 20), ("inside,100x150,enlarge", 40, 20, 100, 50),
            ("inside,100x", 300, 200, 100, 67), ("inside,x100", 300, 200, 150, 100), ("cover,100x", 50, 20, 50, 20),
        ])
    func fits(recipe: String, width: Int, height: Int, madeWidth: Int, madeHeight: Int) async throws {
        let original = try await Pictures.make(width, height, ".png")
        let image = try await render(original, recipe + ",png")[0]
        let pixels = try await Pictures.pixels(image.bytes, "png")
        #expect((pixels.width, pixels.height) == (madeWidth, madeHeight))
        #expect((image.widthPixels, image.heightPixels) == (madeWidth, madeHeight))
    }

    @Test("Cover keeps the middle, contain shows all between transparent bars")
    func placement() async throws {
        let original = try await Pictures.make(400, 200, ".png")
        let images = try await render(original, "cover,100x100,png", "contain,100x100,png", "contain,100x100,background=#ff0000,png")
        let cover = try await Pictures.pixels(images[0].bytes, "png")
        // Red grows from 0 to 250 over the whole width; the middle half is kept.
        #expect(abs(Int(cover[0, 50][0]) - 63) < 6)
        #expect(abs(Int(cover[99, 50][0]) - 187) < 6)
        let contain = try await Pictures.pixels(images[1].bytes, "png")
        #expect((contain[50, 24][3], contain[50, 25][3], contain[50, 74][3], contain[50, 75][3]) == (0, 255, 255, 0))
        #expect(try await Pictures.pixels(images[2].bytes, "png")[50, 10] == [255, 0, 0])
    }

    @Test(
        "Whatever an original's colours are stored as, the picture looks the same",
        arguments: [
            (".png[bitdepth=16]", "vips colourspace scene.ppm in.v rgb16", 2.0), (".png[palette=true,Q=100]", nil, 8),
            (".jpg[Q=100,subsample_mode=off]", "vips icc_export scene.ppm in.v --output-profile p3", 5),
            (".jpg[Q=95]", "vips icc_transform scene.ppm in.v cmyk --input-profile srgb", 40),
            (".jpg[Q=95,strip]", "vips colourspace scene.ppm in.v cmyk", 40), (".webp[lossless]", nil, 0.01),
            (".avif[Q=80,effort=1]", nil, 5), (".gif", nil, 12),
        ] as [(String, String?, Double)])
    func colours(suffix: String, commands: String?, tolerance: Double) async throws {
        let original = try await Pictures.make(90, 135, suffix, then: commands)
        let image = try await render(original, "inside,90x135,png")[0]
        let pixels = try await Pictures.pixels(image.bytes, "png")
        let scene = try await Pictures.pixels(try await Pictures.make(90, 135, ".png"), "png")
        #expect(pixels.bands == 3)
        #expect(pixels.distance(to: scene) < tolerance)
    }

    @Test(
        "Grey, with and without alpha and in 16 bits, becomes sRGB", arguments: ["", " && vips bandjoin_const g.v h.v 100 && cp h.v g.v"])
    func grey(alpha: String) async throws {
        let original = try await Pictures.make(90, 135, ".png", then: "vips colourspace scene.ppm g.v b-w\(alpha) && cp g.v in.v")
        let pixels = try await Pictures.pixels(try await render(original, "inside,90x135,png")[0].bytes, "png")
        #expect(pixels.bands == (alpha.isEmpty ? 3 : 4))
        #expect(pixels[40, 40][0] == pixels[40, 40][1] && pixels[40, 40][1] == pixels[40, 40][2])
        if !alpha.isEmpty { #expect(pixels[40, 40][3] == 100) }
    }

    @Test("No metadata is left, in any format", arguments: ["webp,radius=10", "webp", "png", "jpeg", "avif"])
    func metadata(recipe: String) async throws {
        let original = Self.withOrientation(1, try await Pictures.make(100, 150, ".jpg[profile=p3]"))
        let image = try await render(original, "100x150," + recipe)[0]
        try await withTemporaryDirectory { directory in
            try writeFile(image.bytes, "\(directory)/out.\(image.format.fileExtension)")
            let fields = try await shell("vipsheader -a \(directory)/out.\(image.format.fileExtension)")
            #expect(!fields.contains("exif-data") && !fields.contains("icc-profile") && !fields.contains("xmp"))
        }
    }

    @Test("A much larger original is shrunk while it is read, without a visible difference", arguments: [".jpg[Q=95]", ".png"])
    func shrinking(suffix: String) async throws {
        let original = try await Pictures.make(740, 1112, suffix)
        let small = try await render(original, "185x278,png")[0]
        // A second recipe that needs all pixels keeps the first from being shrunk early.
        let careful = try await render(original, "185x278,png", "740x1112,webp")[0]
        let difference = try await Pictures.pixels(small.bytes, "png").distance(to: try await Pictures.pixels(careful.bytes, "png"))
        #expect(difference < 1.5)
    }

    @Test("Colour and placeholder are the same every time, and the placeholder is a small picture of the poster's shape")
    func summary() async throws {
        let original = try await Pictures.make(500, 750, ".jpg")
        let renderings = try await Renderer.withRenderer(threads: 2) { renderer in
            [try await renderer.render(original, recipes: []), try await renderer.render(original, recipes: [])]
        }
        #expect(renderings[0] == renderings[1])
        #expect(renderings[0].placeholder.utf8.count <= 300)
        let data = try #require(Data(base64Encoded: String(renderings[0].placeholder.dropFirst("data:image/webp;base64,".count))))
        let pixels = try await Pictures.pixels([UInt8](data), "webp")
        #expect((pixels.width, pixels.height) == (13, 20))
    }
}
