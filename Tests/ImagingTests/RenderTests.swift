import Imaging
import Testing

@Suite("Rendering")
struct RenderTests {
    @Test("The standard recipe makes a WebP thumbnail of exactly the size, with round corners", arguments: [185, 342, 500])
    func standardRecipe(width: Int) async throws {
        let height = (3 * width + 1) / 2
        let original = try await Pictures.make(width, height, ".jpg[Q=85]")
        let recipe = Recipe.standard.resolved(forWidth: width)
        let rendering = try await Renderer.withRenderer(threads: 1) { try await $0.render(original, recipes: [recipe]) }

        #expect(rendering.header == PictureHeader(format: .jpeg, widthPixels: width, heightPixels: height))
        let image = try #require(rendering.images.first)
        #expect((image.widthPixels, image.heightPixels) == (width, height))
        #expect(ImageFormat.sniff(image.bytes) == .webp)
        let pixels = try await Pictures.pixels(image.bytes, "webp")
        #expect((pixels.width, pixels.height, pixels.bands) == (width, height, 4))
        for (x, y) in [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)] { #expect(pixels[x, y][3] == 0) }
        #expect(pixels[width / 2, height / 2][3] == 255)
        #expect(rendering.placeholder.utf8.count <= 300)
    }
}
