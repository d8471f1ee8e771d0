import Core
import FoundationEssentials
import Mirroring
import StandIn
import TestSupport
import Testing

extension EndToEnd {
    @Suite("The main job")
    struct MainJobTests {
        @Test("300 titles in three sizes give 900 originals and 900 thumbnails, each of the right size, shape and digest")
        func wholeRun() async throws {
            try await Scene.with(titles: 300) { scene in
                let ending = try await scene.posterity("mirror", "--top", "300")
                try #require(ending.status == 0, "\(ending.errors)")
                #expect(ending.output.contains("900 fetched"))
                #expect(ending.output.contains("900 made"))
                let manifest = try await scene.manifest()
                #expect(manifest.titles.map(\.rank) == Array(1...300))
                #expect(manifest.titles.allSatisfy { $0.missing == nil })
                #expect(manifest.originals.count == 900)
                #expect(manifest.renditions.count == 900)
                let cache = CacheInspection(root: scene.cache)
                #expect(cache.objects.count == 1800)
                try await cache.expectSound()
                try await cache.expectWhole(manifest)
                try await expectShapes(of: manifest, in: cache)
                try await expectCorners(of: manifest, in: cache, every: 100)
                try await expectSameAlpha(of: "w185", 185, 278, manifest, in: cache, scratch: scene.home)
                #expect(scene.imageCounts == [200: 900])
                try await expectWarmRunIsQuiet(scene)
            }
        }

        @Test("A picture is kept as the host served it, byte for byte")
        func originals() async throws {
            try await Scene.with(titles: 2) { scene in
                #expect(try await scene.posterity("mirror").status == 0)
                for original in try await scene.manifest().originals {
                    let served = try await Tool.run("/bin/sh", ["-c", "curl -sS \"$0\" | sha256sum", original.url])
                    #expect(String(decoding: served.prefix(64), as: UTF8.self) == original.digest.description.dropFirst(7))
                }
            }
        }

        @Test("The titles stand in the list's order, with what the API says of them, in every script")
        func titles() async throws {
            try await Scene.with { scene in
                #expect(try await scene.posterity("mirror", "trending/all/week", "--pages", "30", "--sizes", "w185").status == 0)
                let expected = try #require(scene.standIn.titles(in: "trending/all/week"))
                let manifest = try await scene.manifest()
                #expect(manifest.titles.map(\.id) == expected.map(\.id))
                #expect(manifest.titles.map(\.mediaType) == expected.map(\.mediaType))
                for (title, listed) in zip(manifest.titles, expected) {
                    #expect(title.year.map(String.init) == listed.date.flatMap { $0.isEmpty ? nil : String($0.prefix(4)) })
                    let hasPoster = listed.posterPath?.isEmpty == false
                    #expect((title.poster != nil) == hasPoster)
                    #expect(title.missing?.reason == (hasPoster ? nil : .noPoster))
                    if listed.title.count <= 100 {
                        #expect(title.title.filter { $0 != " " } == listed.title.filter { $0 != " " })
                    }
                }
                #expect(manifest.titles.contains { $0.poster == nil })
                try await ManifestSchema.expectValid(scene)
            }
        }

        @Test("A placeholder is a small data URI, and a colour is one")
        func placeholder() async throws {
            try await Scene.with(titles: 3) { scene in
                #expect(try await scene.posterity("mirror").status == 0)
                for title in try await scene.manifest().titles {
                    let placeholder = try #require(title.poster?.placeholder)
                    #expect(placeholder.utf8.count <= 300)
                    #expect(placeholder.hasPrefix("data:image/"))
                    let encoded = try #require(placeholder.split(separator: ",").last)
                    let bytes = try #require(Data(base64Encoded: String(encoded)))
                    try bytes.write(to: URL(filePath: scene.home + "/placeholder"))
                    let header = try await Tool.run("vipsheader", [scene.home + "/placeholder"])
                    #expect(String(decoding: header, as: UTF8.self).contains("srgb"))
                    #expect(title.poster?.colour?.count == 7)
                }
            }
        }

        // MARK: - Private

        private func expectShapes(of manifest: Manifest, in cache: CacheInspection) async throws {
            let headers = try await cache.headers(of: manifest.pictures.map(\.path))
            let heights = ["w185": 278, "w342": 513, "w500": 750]
            for (title, token, size) in manifest.sizesOfTitles {
                let width = try #require(Int(token.dropFirst()))
                let height = try #require(heights[token])
                let original = try #require(size.original)
                #expect(headers[original.path] == "\(original.width)x\(original.height) uchar, 3 bands, srgb, jpegload", "\(title.rank)")
                #expect(size.renditions.count == 1)
                for rendition in size.renditions {
                    #expect((rendition.width, rendition.height) == (width, height))
                    #expect(headers[rendition.path] == "\(width)x\(height) uchar, 4 bands, srgb, webpload", "\(title.rank) \(token)")
                    #expect(rendition.mediaType == "image/webp")
                }
            }
        }

        /// Reads single pixels by the `vips` command: clear in the very corner, opaque where the arc begins, in the middle of the edges and inside.
        private func expectCorners(of manifest: Manifest, in cache: CacheInspection, every stride: Int) async throws {
            for (title, token, size) in manifest.sizesOfTitles where title.rank % stride == 1 {
                let rendition = try #require(size.renditions.first)
                let (right, bottom) = (rendition.width - 1, rendition.height - 1)
                let radius = Double(rendition.width) / 10
                // On the diagonal the arc lies this far from the corner, in pixels along each axis.
                let arc = radius * (1 - 0.5.squareRoot())
                let (outside, inside) = (Int(arc - 2), Int((arc + 2).rounded(.up)))
                let clear = [(0, 0), (right, 0), (0, bottom), (right, bottom), (outside, outside), (right - outside, bottom - outside)]
                let opaque = [
                    (inside, inside), (right - inside, inside), (right / 2, 0), (0, bottom / 2), (right / 2, bottom), (right, bottom / 2),
                    (Int(radius) + 1, 0), (0, Int(radius) + 1), (right / 2, bottom / 2),
                ]
                for (points, alpha) in [(clear, 0), (opaque, 255)] {
                    for (x, y) in points {
                        #expect(try await alphaOf(rendition.path, x, y, in: cache) == alpha, "\(token) of \(title.rank) at \(x),\(y)")
                    }
                }
            }
        }

        /// Stacks the alpha of all thumbnails of a size, and compares each with the first by libvips' own operations.
        private func expectSameAlpha(
            of token: String, _ width: Int, _ height: Int, _ manifest: Manifest, in cache: CacheInspection, scratch: String
        ) async throws {
            let paths = manifest.sizesOfTitles.filter { $0.token == token }.flatMap(\.size.renditions).map(\.path)
            let script = """
                set -e
                cd "$0"
                vips arrayjoin "$2" "$1/all.v" --across 1
                vips extract_band "$1/all.v" "$1/alpha.v" 3
                vips extract_area "$1/alpha.v" "$1/first.v" 0 0 \(width) \(height)
                vips replicate "$1/first.v" "$1/expected.v" 1 \(paths.count)
                vips relational "$1/alpha.v" "$1/expected.v" "$1/different.v" noteq
                vips max "$1/different.v"
                """
            let most = try await Tool.run("/bin/sh", ["-c", script, cache.root, scratch, paths.joined(separator: " ")])
            #expect(Double(String(decoding: most, as: UTF8.self).filter { !$0.isWhitespace }) == 0)
        }

        private func alphaOf(_ path: String, _ x: Int, _ y: Int, in cache: CacheInspection) async throws -> Int? {
            let output = try await Tool.run("vips", ["getpoint", "\(cache.root)/\(path)", "\(x)", "\(y)"])
            return String(decoding: output, as: UTF8.self).split(whereSeparator: \.isWhitespace).last.flatMap { Int(Double($0) ?? -1) }
        }

        /// A second run within the time asks for no image, renders nothing, and writes nothing but its manifest.
        private func expectWarmRunIsQuiet(_ scene: Scene) async throws {
            let cache = CacheInspection(root: scene.cache)
            let before = cache.objects
            scene.standIn.reset()
            let ending = try await scene.posterity("mirror", "--top", "300", "--json")
            #expect(ending.status == 0)
            #expect(scene.standIn.counts.isEmpty, "neither a list nor a picture is asked for")
            let summary = try RunReport(ending).summary
            #expect(summary.fresh == 900)
            #expect(summary.rendered == 0)
            #expect(summary.requests == 0)
            #expect(cache.objects == before)
            #expect(try await scene.manifest().originals.count == 900)
        }
    }
}
