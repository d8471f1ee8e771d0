import Core
import FoundationEssentials
import Mirroring
import StandIn
import TestSupport
import Testing

extension EndToEnd {
    @Suite("What is fresh, and what is asked for again")
    struct FreshnessTests {
        @Test("--refresh asks for everything again, and what has not changed costs no body")
        func refresh() async throws {
            try await Scene.with(titles: 4) { scene in
                #expect(try await scene.posterity("mirror").status == 0)
                let cache = CacheInspection(root: scene.cache)
                let before = cache.objects
                scene.standIn.reset()
                let ending = try await scene.posterity("mirror", "--refresh", "--json")
                #expect(ending.status == 0)
                let summary = try RunReport(ending).summary
                #expect(summary.unchanged == 12)
                #expect(summary.rendered == 0)
                #expect(scene.imageCounts == [304: 12])
                #expect(scene.count(of: "api") == 1)
                #expect(cache.objects == before)
            }
        }

        @Test("After its time a picture is asked for with its validators")
        func expired() async throws {
            var options = StandInOptions()
            options.cacheControl = "public, max-age=0"
            try await Scene.with(titles: 3, options) { (scene) async throws in
                #expect(try await scene.posterity("mirror").status == 0)
                scene.standIn.reset()
                #expect(try await scene.posterity("mirror").status == 0)
                let images = scene.standIn.requests.filter { $0.area == "images" }
                #expect(images.count == 9)
                #expect(images.allSatisfy { $0.isConditional && $0.status == 304 })
            }
        }

        @Test("A picture that has changed is fetched and made anew, and the earlier one stays in the cache")
        func changed() async throws {
            try await Scene.with(titles: 3) { scene in
                #expect(try await scene.posterity("mirror", "--sizes", "w342").status == 0)
                let before = try await scene.manifest()
                let cache = CacheInspection(root: scene.cache)
                let objects = Set(cache.objects)
                let other = try #require(before.originals.last)
                let path = try #require(before.titles.first?.poster?.path)
                try scene.standIn.addFaults("images path=\(path) file=\(scene.cache)/\(other.path)")
                let ending = try await scene.posterity("mirror", "--sizes", "w342", "--refresh", "--json")
                #expect(ending.status == 0)
                #expect(try RunReport(ending).summary.fetched == 1)
                #expect(try RunReport(ending).summary.unchanged == 2)
                let after = try await scene.manifest()
                #expect(after.originals.first?.digest == other.digest)
                #expect(after.renditions.first?.digest == before.renditions.last?.digest)
                #expect(objects.isSubset(of: cache.objects))
                try await cache.expectSound()
            }
        }

        @Test("A picture that was not there is asked for again after a day, or when told to")
        func absent() async throws {
            try await Scene.with(titles: 3) { scene in
                try scene.standIn.addFaults("images path=/w185/ status=404")
                let first = try await scene.posterity("mirror", "--json")
                #expect(first.status == 3)
                #expect(try RunReport(first).summary.reasons == ["http-404": 3])
                #expect(scene.imageCounts[404] == 3, "a 404 is final")
                scene.standIn.reset()
                #expect(try await scene.posterity("mirror").status == 3)
                #expect(scene.count(of: "images") == 0)
                #expect(try await scene.posterity("mirror", "--retry-missing").status == 0)
                #expect(scene.imageCounts == [200: 3])
            }
        }

        @Test("An object that was deleted by hand is fetched and made again")
        func deletedObject() async throws {
            try await Scene.with(titles: 2) { scene in
                #expect(try await scene.posterity("mirror").status == 0)
                let manifest = try await scene.manifest()
                let original = try #require(manifest.originals.first)
                let rendition = try #require(manifest.renditions.last)
                for path in [original.path, rendition.path] { try FileManager.default.removeItem(atPath: "\(scene.cache)/\(path)") }
                scene.standIn.reset()
                let ending = try await scene.posterity("mirror", "--json")
                #expect(ending.status == 0)
                #expect(scene.imageCounts == [200: 1], "the rendition needs no download")
                #expect(try RunReport(ending).summary.rendered == 2)
                let cache = CacheInspection(root: scene.cache)
                try await cache.expectWhole(manifest)
            }
        }

        @Test("A kept original whose bytes have changed is not used: it is fetched again and set right")
        func damagedObject() async throws {
            try await Scene.with(titles: 2) { scene in
                #expect(try await scene.posterity("mirror", "--sizes", "w342").status == 0)
                let original = try #require(try await scene.manifest().originals.first)
                let file = "\(scene.cache)/\(original.path)"
                // As long as before, so that only its digest can tell.
                try await Tool.run(
                    "/bin/sh", ["-c", "chmod u+w \"$0\" && printf XXXX | dd of=\"$0\" bs=1 seek=900 conv=notrunc 2>&1", file])
                scene.standIn.reset()
                let ending = try await scene.posterity("mirror", "--sizes", "w342", "--recipe", "cover,png")
                #expect(ending.status == 0, "\(ending.errors)")
                #expect(ending.errors.contains("its bytes have changed"))
                #expect(scene.imageCounts[200] == 1)
                let cache = CacheInspection(root: scene.cache)
                try await cache.expectWhole(try await scene.manifest())
                try await cache.expectSound()
            }
        }
    }
}
