import Imaging

/// Decode, resize, mask and encode, by way of jobs that differ in nothing else.
struct PictureStages {
    let renderer: Renderer
    let posters: Posters
    let runs: Int

    func measure() async throws {
        let verify = try await cost(rendering: [])
        verify.report("verify, decode, sum up", posters.size)

        let plain = try await cost(ofPixels: "cover")
        let smaller = ["w342": "cover,185x278", "w500": "cover,342x513"][posters.size]
        if let smaller { (try await cost(ofPixels: smaller) - plain).report("resize to \(smaller.dropFirst(6))", posters.size) }
        (try await cost(ofPixels: "cover,radius=10%") - plain).report("mask on pixels", posters.size)

        let webP = try await cost(rendering: ["cover,webp"])
        (webP - verify).report("encode WebP", posters.size)
        (try await cost(rendering: ["cover,radius=10%,webp"]) - webP).report("corners of WebP", posters.size)
        for format in ["png", "jpeg", "avif"] {
            (try await cost(rendering: ["cover,\(format)"]) - verify).report("encode \(format)", posters.size)
        }
    }

    private func cost(rendering recipes: [String]) async throws -> Cost {
        let recipes = try recipes.map { try Recipe($0) }
        return try await Cost.of(posters.files.count, runs: runs) {
            for file in posters.files { _ = try await renderer.render(file, recipes: recipes) }
        }
    }

    private func cost(ofPixels recipe: String) async throws -> Cost {
        let recipe = try Recipe(recipe)
        return try await Cost.of(posters.files.count, runs: runs) {
            for file in posters.files { _ = try await renderer.pixels(of: file, recipe: recipe) }
        }
    }
}
