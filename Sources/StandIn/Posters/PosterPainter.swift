internal import Core
internal import Drawing
internal import Imaging

/// Paints posters, each the same every time.
final class PosterPainter: Sendable {
    /// Part of the names of stored posters; to be raised whenever a poster comes out differently.
    static let version = "v1"

    private let threads: WorkerThreads
    private let renderer: Renderer

    private init(threads: WorkerThreads, renderer: Renderer) {
        self.threads = threads
        self.renderer = renderer
    }

    static func withPainter<Value>(threads: Int, _ body: (PosterPainter) async throws -> Value) async throws -> Value {
        try await Renderer.withRenderer(threads: threads) { renderer in
            try await WorkerThreads.withThreads(threads, named: "paint") { threads in
                try await body(PosterPainter(threads: threads, renderer: renderer))
            }
        }
    }

    func jpeg(_ title: CatalogueTitle, _ size: PosterSize) async throws -> [UInt8] {
        let pixels = try await threads.run { try Self.pixels(title, size) }
        // Below 90 libvips halves the colour's resolution (4:2:0), as image hosts do.
        return try await renderer.encode(pixels, as: .jpeg, quality: 85)
    }

    // MARK: - Private

    private static func pixels(_ title: CatalogueTitle, _ size: PosterSize) throws(DrawingError) -> PixelBuffer {
        let canvas = try Canvas.raster(
            widthPixels: size.widthPixels, heightPixels: size.heightPixels, scale: Double(size.widthPixels) / Scene.width)
        var random = StableRandom(51, title.index)
        let palette = random.pick(Palette.all)
        // Neighbours in the catalogue, and so often in a list, should not look alike.
        let composition = title.index + title.index / Scene.compositionCount * 5
        var scene = Scene(canvas: canvas, palette: palette, random: StableRandom(52, title.index))
        let room = scene.draw(composition: composition)
        var lettering = Lettering(canvas: canvas, typesetter: Typesetter(), palette: palette, random: StableRandom(53, title.index))
        lettering.draw(title, room: room)
        var rgba = try canvas.rgba()
        FilmGrain.add(to: &rgba, strength: grainStrength(size), seed: UInt64(title.index))
        return PixelBuffer(widthPixels: size.widthPixels, heightPixels: size.heightPixels, rgba: rgba)
    }

    /// So that the pictures weigh about 15, 40 and 75 KB at w185, w342 and w500.
    private static func grainStrength(_ size: PosterSize) -> Int {
        size.widthPixels < 250 ? 14 : 10
    }
}
