import Core
import FoundationEssentials
import Mirroring
import StandIn
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Lists and the key")
    struct ListTests {
        @Test("--pages and --top follow the list's pages")
        func extent() async throws {
            try await Scene.with(titles: 70) { scene in
                #expect(try await scene.posterity("mirror", "--dry-run", "--pages", "2", "--json").status == 0)
                #expect(scene.count(of: "api") == 2)
                scene.standIn.reset()
                let top = try await scene.posterity("mirror", "--top", "45", "--dry-run", "--json")
                #expect(top.status == 0)
                #expect(scene.count(of: "api") == 3)
                #expect(top.output.contains("\"titles\" : 45"))
                #expect(!top.errors.contains("asked for"))
            }
        }

        @Test("Fewer titles than asked for are said, never kept quiet")
        func fewer() async throws {
            try await Scene.with(titles: 30) { scene in
                let top = try await scene.posterity("mirror", "--top", "100", "--dry-run")
                #expect(top.status == 0)
                #expect(top.errors.contains("holds 30 titles; 100 were asked for"))
                let pages = try await scene.posterity("mirror", "--pages", "5", "--dry-run")
                #expect(pages.errors.contains("has 2 pages; 5 were asked for"))
            }
        }

        @Test("A list's answer is kept for half an hour; --refresh asks again")
        func kept() async throws {
            try await Scene.with(titles: 3) { (scene) async throws in
                #expect(try await scene.posterity("mirror", "--sizes", "w185").status == 0)
                #expect(try await scene.posterity("mirror", "--sizes", "w185").status == 0)
                #expect(scene.count(of: "api") == 1)
                #expect(try await scene.posterity("mirror", "--sizes", "w185", "--language", "de-DE").status == 0)
                #expect(scene.count(of: "api") == 2, "another language is another answer")
                #expect(try await scene.posterity("mirror", "--sizes", "w185", "--refresh").status == 0)
                #expect(scene.count(of: "api") == 3)
            }
        }

        @Test("What is kept needs no key")
        func keptWithoutKey() async throws {
            try await Scene.with(titles: 2) { (scene) async throws in
                #expect(try await scene.posterity("mirror", "--sizes", "w185").status == 0)
                #expect(try await scene.posterity("mirror", "--sizes", "w185", changes: ["AMODB_KEY": ""]).status == 0)
            }
        }

        @Test("Titles come in the language asked for, and the manifest says which")
        func language() async throws {
            try await Scene.with(titles: 5) { scene in
                #expect(try await scene.posterity("mirror", "--language", "ja-JP", "--sizes", "w185").status == 0)
                let manifest = try await scene.manifest()
                let listed = try #require(scene.standIn.titles(in: "trending/movie/week", language: "ja-JP"))
                #expect(manifest.language == "ja-JP")
                #expect(manifest.titles.map(\.title) == listed.map(\.title))
                #expect(manifest.titles.map(\.title) != scene.standIn.titles(in: "trending/movie/week")?.map(\.title))
            }
        }

        @Test("A title that a moving list shows twice keeps its first place")
        func duplicates() async throws {
            try await Scene.with(titles: 40) { scene in
                try scene.standIn.addFaults("api json=duplicates")
                #expect(try await scene.posterity("mirror", "--sizes", "w185", "--pages", "2").status == 0)
                let titles = try await scene.manifest().titles
                #expect(Set(titles.map(\.id)).count == titles.count)
                #expect(titles.map(\.rank) == Array(1...titles.count))
            }
        }

        @Test("Several lists make one run; a poster that they share is fetched once")
        func severalLists() async throws {
            try await Scene.with(titles: 5) { scene in
                #expect(try await scene.posterity("mirror", "movie/popular", "movie/top_rated", "movie/popular").status == 0)
                let manifest = try await scene.manifest()
                #expect(manifest.lists == ["movie/popular", "movie/top_rated"])
                #expect(manifest.titles.count == 10)
                #expect(scene.imageCounts == [200: 15])
            }
        }

        @Test("Hostile poster paths are refused with a reason, unusual ones are not, and the others are had")
        func hostilePaths() async throws {
            for (variant, isHostile) in [("traversal", true), ("paths", false)] {
                try await Scene.with(titles: 12) { scene in
                    try scene.standIn.addFaults("api json=\(variant)")
                    let ending = try await scene.posterity("mirror", "--sizes", "w185")
                    #expect(ending.status == (isHostile ? 3 : 0), "\(ending.errors)")
                    let manifest = try await scene.manifest()
                    #expect(manifest.titles.contains { $0.missing?.reason == .badPath } == isHostile)
                    for request in scene.standIn.requests where request.area == "images" {
                        #expect(!request.target.split(separator: "/").contains(".."))
                        #expect(request.target.hasPrefix("/t/p/w185/"))
                    }
                    try await ManifestSchema.expectValid(scene)
                }
            }
        }

        @Test("The key comes from a file or the variable, goes to the API alone, and is written nowhere")
        func key() async throws {
            let secret = "k3y-that-must-not-leak"
            var options = StandInOptions()
            options.keys = [secret]
            try await Scene.with(titles: 3, options) { scene in
                let file = scene.home + "/key"
                try Data("\(secret)\n".utf8).write(to: URL(filePath: file))
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
                var said = ""
                for (arguments, key) in [(["--key-file", file], ""), (["--refresh"], secret), (["--refresh", "--verbose"], secret)] {
                    var environment = scene.environment
                    environment["AMODB_KEY"] = key.isEmpty ? nil : key
                    let ending = try await ProgramUnderTest.run(["mirror"] + arguments, environment: environment, in: scene.home)
                    #expect(ending.status == 0, "\(ending.errors)")
                    said += ending.output + ending.errors
                }
                try scene.standIn.addFaults("api status=401")
                let refused = try await scene.posterity("mirror", "--refresh", "--verbose", changes: ["AMODB_KEY": secret])
                #expect(refused.status == 4)
                said += refused.output + refused.errors
                #expect(!said.contains(secret))
                #expect(try await CacheInspection(root: scene.cache).contains(secret) == false)
                #expect(
                    scene.standIn.requests.filter { $0.area == "api" }.allSatisfy { $0.hasAuthorization && !$0.target.contains(secret) })
                #expect(scene.standIn.requests.filter { $0.area == "images" }.allSatisfy { !$0.hasAuthorization })
            }
        }
    }
}
