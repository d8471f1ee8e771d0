import Core
import FoundationEssentials
import Mirroring
import StandIn
import TestSupport
import Testing

extension EndToEnd {
    @Suite("The command line")
    struct CommandLineTests {
        @Test(
            "Wrong usage ends with 2 and a suggestion, and touches nothing",
            arguments: [
                (["mirorr"], "mirror"), (["mirror", "--concurency", "3"], "--concurrency"),
                (["mirror", "trending/movies/week"], "trending/movie/week"),
                (["mirror", "--sizes", "w185;w342"], "w185"), (["mirror", "--recipe", "covre,webp"], "cover"),
                (["mirror", "--top", "0"], "1"),
                (["mirror", "--pages", "2", "--top", "3"], "--top"), (["mirror", "--images", "ftp://127.0.0.1/"], "--images"),
                (["mirror", "--api", "http://example.com/3"], "--insecure-http"), (["mirror", "--key-file", "none"], "none"),
                (["manifest", "--bogus"], "--help"), (["standin", "--fault", "images explode"], "explode"),
            ] as [([String], String)])
        func usage(arguments: [String], word: String) async throws {
            try await Scene.with(titles: 1) { scene in
                let ending = try await ProgramUnderTest.run(arguments, environment: scene.environment, in: scene.home)
                #expect(ending.status == 2, "\(ending.errors)")
                #expect(ending.errors.contains(word), "\(ending.errors)")
                #expect(ending.output == "")
                #expect(scene.standIn.counts.isEmpty)
                #expect(!FileManager.default.fileExists(atPath: scene.cache))
            }
        }

        @Test("A flag goes before its variable")
        func flagBeforeVariable() async throws {
            try await Scene.with(titles: 2) { scene in
                let ending = try await scene.posterity(
                    "mirror", "--top", "1", "--json", changes: ["POSTERITY_TOP": "2", "POSTERITY_SIZES": "w92"])
                #expect(ending.status == 0, "\(ending.errors)")
                #expect(try RunReport(ending).summary.titles == 1)
                #expect(try await scene.manifest().sizes == ["w92"])
            }
        }

        @Test("--dry-run says what would be done, and makes no cache")
        func dryRunWithoutCache() async throws {
            try await Scene.with(titles: 4) { scene in
                let ending = try await scene.posterity("mirror", "--dry-run")
                #expect(ending.status == 0)
                #expect(ending.output.contains("to fetch    12"))
                #expect(ending.output.contains("to render   12"))
                #expect(scene.count(of: "images") == 0)
                #expect(!FileManager.default.fileExists(atPath: scene.home + "/cache"))
            }
        }

        @Test("--dry-run on a cache changes no file in it, and promises what the run then does")
        func dryRun() async throws {
            try await Scene.with(titles: 6) { scene in
                #expect(try await scene.posterity("mirror", "--top", "2").status == 0)
                let cache = CacheInspection(root: scene.cache)
                let before = try await cache.sha256(of: cache.files)
                scene.standIn.reset()
                let preview = try await scene.posterity("mirror", "--dry-run", "--json")
                #expect(preview.status == 0)
                #expect(scene.count(of: "images") == 0)
                #expect(try await cache.sha256(of: cache.files) == before)
                struct Preview: Decodable {
                    let toFetch: Int
                    let settled: Int
                    let toRender: Int
                }
                let promised = try JSONText.decode(Preview.self, from: Array(preview.output.utf8))
                let summary = try RunReport(try await scene.posterity("mirror", "--json")).summary
                #expect((promised.toFetch, promised.settled, promised.toRender) == (summary.fetched, summary.fresh, summary.rendered))
                #expect((summary.fetched, summary.fresh) == (12, 6))
            }
        }

        @Test("--json is one JSON object on standard output, with the way to the manifest")
        func json() async throws {
            try await Scene.with(titles: 2) { scene in
                let ending = try await scene.posterity("mirror", "--json")
                let report = try RunReport(ending)
                #expect(report.cache == scene.cache)
                #expect(report.manifest == "runs/\(report.run).json")
                #expect(FileManager.default.fileExists(atPath: "\(scene.cache)/\(report.manifest)"))
                #expect(report.summary.requests == 7)
            }
        }

        @Test("--quiet prints nothing when all is well, and with --json the result alone")
        func quiet() async throws {
            try await Scene.with(titles: 2) { scene in
                for arguments in [["mirror", "--sizes", "w185"], ["sheet"], ["site"]] {
                    let ending = try await ProgramUnderTest.run(arguments + ["-q"], environment: scene.environment, in: scene.home)
                    #expect((ending.status, ending.output, ending.errors) == (0, "", ""), "\(arguments): \(ending.errors)")
                }
                let ending = try await scene.posterity("mirror", "--sizes", "w185", "--quiet", "--json")
                #expect(try RunReport(ending).summary.fresh == 2)
                #expect(ending.errors == "")
            }
        }

        @Test("--quiet names the pictures that could not be had, as errors, the first ten of a reason")
        func quietFailures() async throws {
            try await Scene.with(titles: 12) { scene in
                try scene.standIn.addFaults("images path=/w185/ body=html")
                let ending = try await scene.posterity("mirror", "--quiet", "--sizes", "w185")
                #expect(ending.status == 3)
                #expect(ending.output == "")
                #expect(ending.errorLines.count == 11, "\(ending.errors)")
                #expect(ending.errorLines.allSatisfy { $0.hasPrefix("posterity: error: ") })
                #expect(ending.errorLines.count { $0.contains("w185 of \"") } == 10)
            }
        }

        @Test("A variable that looks like a setting and is none is warned of, once, with what was meant")
        func misspeltVariable() async throws {
            try await Scene.with(titles: 1) { scene in
                let ending = try await scene.posterity("mirror", "--sizes", "w185", changes: ["POSTERITY_TOPP": "3"])
                #expect(ending.status == 0)
                let lines = ending.errorLines.filter { $0.contains("POSTERITY_TOPP") }
                #expect(lines == ["posterity: warning: POSTERITY_TOPP is no setting; did you mean POSTERITY_TOP?"])
            }
        }

        @Test("--verbose tells of each picture")
        func verbose() async throws {
            try await Scene.with(titles: 2) { scene in
                let ending = try await scene.posterity("mirror", "--verbose")
                #expect(ending.status == 0)
                #expect(ending.errorLines.count { $0.contains("fetched") } >= 6)
            }
        }

        @Test("Standard output that nobody reads does not matter, and one that is full does")
        func output() async throws {
            try await Scene.with(titles: 2) { scene in
                let script = "posterity mirror --sizes w185 | true; exit ${PIPESTATUS[0]}"
                let closed = try await ProgramUnderTest.run(
                    ["-c", script], program: "/bin/bash", environment: scene.environment, in: scene.home)
                #expect(closed.status == 0)
                let full = try await ProgramUnderTest.run(
                    ["-c", "posterity mirror --sizes w185 > /dev/full"], program: "/bin/bash", environment: scene.environment,
                    in: scene.home)
                #expect(full.status == 1)
                #expect(full.errors.contains("standard output"))
            }
        }

        @Test("`manifest` prints the latest run, one by name, by list or by week, and says when there is none")
        func manifest() async throws {
            try await Scene.with(titles: 2) { scene in
                let none = try await scene.posterity("manifest")
                #expect(none.status == 6)
                #expect(none.errorLines.count == 1)
                #expect(!FileManager.default.fileExists(atPath: scene.cache))
                #expect(try await scene.posterity("mirror", "movie/popular", "--sizes", "w185").status == 0)
                #expect(try await scene.posterity("mirror", "movie/upcoming", "--sizes", "w185").status == 0)
                let latest = try await scene.manifest()
                let byList = try await scene.posterity("manifest", "movie/popular")
                #expect(byList.output.contains("-movie-popular\""))
                #expect(try await scene.posterity("manifest", latest.run).output.contains(latest.run))
                #expect(try await scene.posterity("manifest", latest.week).status == 0)
                let unknown = try await scene.posterity("manifest", "1999-W01")
                #expect(unknown.status == 1)
                #expect(unknown.errorLines.count == 1)
            }
        }

        @Test("A sheet and a site are made of a run, without a request")
        func reports() async throws {
            try await Scene.with { scene in
                #expect(try await scene.posterity("mirror").status == 0)
                scene.standIn.reset()
                for name in ["week.png", "week.pdf"] {
                    let ending = try await scene.posterity("sheet", "-o", name)
                    #expect(ending.status == 0, "\(ending.errors)")
                    #expect(FileManager.default.fileExists(atPath: "\(scene.home)/\(name)"))
                }
                let site = try await scene.posterity("site", "-o", "site")
                #expect(site.status == 0, "\(site.errors)")
                #expect(FileManager.default.fileExists(atPath: scene.home + "/site/index.html"))
                #expect(scene.standIn.counts.isEmpty)
            }
        }
    }
}
