import Imaging
import TestSupport
import Testing

@Suite("Drawings")
struct PixelBufferTests {
    /// Opaque on the left, transparent on the right; the colour says where it is.
    private static func drawing(_ width: Int, _ height: Int) -> PixelBuffer {
        var rgba: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width { rgba += [UInt8(x * 255 / width), UInt8(y * 255 / height), 77, x < width / 2 ? 255 : 0] }
        }
        return PixelBuffer(widthPixels: width, heightPixels: height, rgba: rgba)
    }

    @Test("A drawing is encoded as it is; JPEG puts white behind it", arguments: [ImageFormat.png, .webp, .avif, .jpeg])
    func encode(format: ImageFormat) async throws {
        let bytes = try await Renderer.withRenderer(threads: 1) { try await $0.encode(Self.drawing(60, 40), as: format, quality: 95) }
        #expect(ImageFormat.sniff(bytes) == format)
        let pixels = try await Pictures.pixels(bytes, format.fileExtension)
        #expect((pixels.width, pixels.height, pixels.bands) == (60, 40, format == .jpeg ? 3 : 4))
        if format == .jpeg {
            #expect(pixels[50, 20].allSatisfy { $0 > 245 })
        } else {
            #expect((pixels[10, 20][3], pixels[50, 20][3]) == (255, 0))
        }
    }

    @Test("GIF is not written")
    func gif() async throws {
        await #expect(throws: ImagingError.self) {
            try await Renderer.withRenderer(threads: 1) { try await $0.encode(Self.drawing(6, 4), as: .gif) }
        }
    }

    @Test("A drawing is scaled, and no colour of its transparent part comes in")
    func resized() async throws {
        let small = try await Renderer.withRenderer(threads: 1) {
            try await $0.resized(Self.drawing(200, 100), widthPixels: 50, heightPixels: 25)
        }
        #expect((small.widthPixels, small.heightPixels) == (50, 25))
        let pixel = Array(small.rgba[(12 * 50 + 10) * 4..<(12 * 50 + 11) * 4])
        #expect(abs(Int(pixel[0]) - 53) < 5 && abs(Int(pixel[1]) - 127) < 5 && pixel[3] == 255)
    }

    @Test("An original becomes the pixels of a drawing, fitted and with round corners")
    func pixelsOfOriginal() async throws {
        let original = try await Pictures.make(185, 278, ".jpg")
        let pixels = try await Renderer.withRenderer(threads: 1) {
            try await $0.pixels(of: original, recipe: Recipe("60x90,radius=6"))
        }
        #expect((pixels.widthPixels, pixels.heightPixels) == (60, 90))
        #expect((pixels.rgba[3], pixels.rgba[(45 * 60 + 30) * 4 + 3]) == (0, 255))
    }

    @Test("Strips make the same picture as the whole", arguments: [ImageFormat.png, .jpeg, .webp])
    func strips(format: ImageFormat) async throws {
        try await withTemporaryDirectory { directory in
            try await Renderer.withRenderer(threads: 1) { renderer in
                let whole = Self.drawing(70, 90)
                let bytes = try await renderer.encodeStrips(
                    widthPixels: 70, heightPixels: 90, as: format, quality: 90, background: .black, scratchDirectory: directory
                ) { strips in
                    for start in stride(from: 0, to: 90, by: 40) {
                        let rows = min(40, 90 - start)
                        let rgba = Array(whole.rgba[start * 70 * 4..<(start + rows) * 70 * 4])
                        try strips.append(PixelBuffer(widthPixels: 70, heightPixels: rows, rgba: rgba))
                    }
                }
                #expect(bytes == (try await renderer.encode(whole, as: format, quality: 90, background: .black)))
            }
            #expect(try await shell("ls \(directory)") == "")
        }
    }
}
