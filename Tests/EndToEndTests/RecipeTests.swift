import Core
import FoundationEssentials
import Mirroring
import StandIn
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Recipes")
    struct RecipeTests {
        @Test("A recipe without dimensions is made for every size, one with them once a poster, under the smallest sufficient size")
        func recipes() async throws {
            try await Scene.with(titles: 2) { scene in
                let ending = try await scene.posterity(
                    "mirror", "--recipe", "standard", "--recipe", "cover,png", "--recipe", "inside,200x400,jpeg", "--recipe",
                    "cover,60x90,radius=10%,webp")
                #expect(ending.status == 0, "\(ending.errors)")
                let manifest = try await scene.manifest()
                let headers = try await CacheInspection(root: scene.cache).headers(of: manifest.pictures.map(\.path))
                for title in manifest.titles {
                    let sizes = try #require(title.poster?.sizes)
                    #expect(sizes["w185"]?.renditions.count == 3)
                    #expect(sizes["w342"]?.renditions.count == 3)
                    #expect(sizes["w500"]?.renditions.count == 2)
                    let small = try #require(sizes["w185"]?.renditions.first { $0.recipe.contains("60x90") })
                    #expect(small.recipe == "cover,60x90,radius=6,webp,q=80,effort=2")
                    #expect(headers[small.path] == "60x90 uchar, 4 bands, srgb, webpload")
                    let inside = try #require(sizes["w342"]?.renditions.first { $0.recipe.contains("200x400") })
                    #expect(headers[inside.path] == "200x\(inside.height) uchar, 3 bands, srgb, jpegload")
                    #expect(sizes["w500"]?.renditions.contains { headers[$0.path] == "500x750 uchar, 3 bands, srgb, pngload" } == true)
                }
                try await ManifestSchema.expectValid(scene)
            }
        }

        @Test("A rounded JPEG has its background in the corners")
        func jpegBackground() async throws {
            try await Scene.with(titles: 1) { scene in
                let recipe = "cover,radius=20%,background=#ff0000,jpeg"
                #expect(try await scene.posterity("mirror", "--sizes", "w342", "--recipe", recipe).status == 0)
                let rendition = try #require(try await scene.manifest().renditions.first)
                let pixel = try await Tool.run("vips", ["getpoint", "\(scene.cache)/\(rendition.path)", "1", "1"])
                let values = String(decoding: pixel, as: UTF8.self).split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
                #expect(values.count == 3)
                #expect(zip(values, [255, 0, 0]).allSatisfy { abs($0 - $1) < 16 }, "\(values)")
            }
        }

        @Test("A rounded JPEG without a background is refused before anything is asked for")
        func jpegWithoutBackground() async throws {
            try await Scene.with(titles: 1) { scene in
                let ending = try await scene.posterity("mirror", "--recipe", "cover,radius=10%,jpeg")
                #expect(ending.status == 2)
                #expect(ending.errors.contains("background"))
                #expect(scene.standIn.counts.isEmpty)
            }
        }

        @Test("--derive-from fetches one size, and the renditions stand under the sizes that they were made for")
        func deriveFrom() async throws {
            try await Scene.with(titles: 3) { scene in
                let ending = try await scene.posterity("mirror", "--derive-from", "w500", "--json")
                #expect(ending.status == 0, "\(ending.errors)")
                #expect(scene.imageCounts == [200: 3])
                #expect(try RunReport(ending).summary.rendered == 9)
                let manifest = try await scene.manifest()
                let cache = CacheInspection(root: scene.cache)
                let headers = try await cache.headers(of: manifest.pictures.map(\.path))
                for title in manifest.titles {
                    let sizes = try #require(title.poster?.sizes)
                    #expect(sizes.keys.sorted() == ["w185", "w342", "w500"])
                    for (token, shape) in [("w185", "185x278"), ("w342", "342x513"), ("w500", "500x750")] {
                        let size = try #require(sizes[token])
                        #expect((size.original != nil) == (token == "w500"))
                        #expect(size.derivedFrom == (token == "w500" ? nil : "w500"))
                        #expect(size.renditions.map { headers[$0.path] } == ["\(shape) uchar, 4 bands, srgb, webpload"])
                    }
                }
                try await ManifestSchema.expectValid(scene)
                scene.standIn.reset()
                #expect(try RunReport(try await scene.posterity("mirror", "--derive-from", "w500", "--json")).summary.rendered == 0)
                #expect(scene.standIn.counts.isEmpty)
            }
        }

        @Test("--derive-from a size that is not among --sizes keeps its original, and failures stand under the sizes asked for")
        func deriveFromAnother() async throws {
            try await Scene.with(titles: 3) { scene in
                let path = try #require(scene.standIn.titles(in: "trending/movie/week")?.first?.posterPath)
                try scene.standIn.addFaults("images path=\(path) body=html")
                #expect(try await scene.posterity("mirror", "--derive-from", "w500", "--sizes", "w92,w154").status == 3)
                let titles = try await scene.manifest().titles
                #expect(titles[0].missing?.sizes?.keys.sorted() == ["w154", "w92"])
                #expect(titles[1].poster?.sizes.keys.sorted() == ["w154", "w500", "w92"])
                #expect(titles[1].missing == nil)
                try await ManifestSchema.expectValid(scene)
            }
        }

        @Test("A new recipe is made of what is kept, without a download")
        func newRecipe() async throws {
            try await Scene.with(titles: 3) { scene in
                #expect(try await scene.posterity("mirror").status == 0)
                scene.standIn.reset()
                let ending = try await scene.posterity("mirror", "--recipe", "cover,avif", "--json")
                #expect(ending.status == 0, "\(ending.errors)")
                #expect(try RunReport(ending).summary.rendered == 9)
                #expect(scene.count(of: "images") == 0)
                let manifest = try await scene.manifest()
                #expect(manifest.renditions.allSatisfy { $0.mediaType == "image/avif" })
                try await CacheInspection(root: scene.cache).expectWhole(manifest)
            }
        }
    }
}
