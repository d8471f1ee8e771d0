import Core
import FoundationEssentials
import Glibc
import Mirroring
import StandIn
import TestSupport
import Testing

extension EndToEnd {
    @Suite("mirror --details")
    struct DetailsTests {
        /// Titles that were asked for since the last reset.
        private func asked(_ scene: Scene) -> Int { scene.standIn.requests.count { $0.target.contains("append_to_response") } }

        private struct Report: Decodable {
            struct Summary: Decodable {
                struct Details: Decodable {
                    let titles: Int
                    let fetched: Int
                    let fresh: Int
                    let kept: Int
                    let missing: Int
                    let reasons: [String: Int]
                }

                let details: Details?
                let failed: Int
            }

            let summary: Summary
        }

        private func details(of ending: ProgramUnderTest.Ending) throws -> Report.Summary.Details {
            try #require(try JSONText.decode(Report.self, from: Array(ending.output.utf8)).summary.details, "\(ending.errors)")
        }

        @Test("Details stand in the manifest as its schema says, and twice in a week none is asked for again")
        func twice() async throws {
            try await Scene.with { scene in
                let first = try await scene.posterity("mirror", "trending/all/week", "--details", "ratings,credits", "--json")
                #expect(first.status == 0 && !first.errors.contains("warning:"), "\(first.errors)")
                let had = try details(of: first)
                #expect(had.fetched == 20 && asked(scene) == 20)
                try await ManifestSchema.expectValid(scene)
                let manifest = try await scene.manifest()
                #expect(Set(manifest.titles.map(\.mediaType)) == ["movie", "tv"])
                #expect(manifest.titles.allSatisfy { $0.details?.directors?.isEmpty == false && $0.details?.runtimeMinutes != nil })
                scene.standIn.reset()
                let second = try await scene.posterity("mirror", "trending/all/week", "--details", "credits,ratings", "--json")
                #expect(second.status == 0)
                let kept = try details(of: second)
                #expect(kept.fresh == 20 && scene.count(of: "api") == 0)
                let plain = try await scene.posterity("mirror", "trending/all/week")
                #expect(plain.status == 0 && !plain.output.contains("details"))
                #expect(try await scene.manifest().titles.allSatisfy { $0.details == nil })
                try await ManifestSchema.expectValid(scene)
                let comparison = try await scene.posterity("runs", "..")
                #expect(comparison.status == 0, "\(comparison.errors)")
            }
        }

        @Test("Sheet, site and explain show them, and --score whose score it is")
        func shown() async throws {
            try await Scene.with(titles: 6) { scene in
                #expect(try await scene.posterity("mirror", "--details", "ratings,credits", "--quiet").status == 0)
                #expect(try await scene.posterity("site", "-o", scene.home + "/site", "--score", "metacritic").status == 0)
                let page = try String(contentsOfFile: scene.home + "/site/index.html", encoding: .utf8)
                let title = try #require(try await scene.manifest().titles.first { $0.details?.ratings?[.metacritic] != nil })
                let details = try #require(title.details)
                let value = try #require(details.ratings?[.metacritic]?.value)
                let director = try #require(details.directors?.first)
                #expect(page.contains("Metacritic \(Int(value))") && page.contains(director))
                for file in ["s.png", "s.pdf"] {
                    #expect(try await scene.posterity("sheet", "-o", "\(scene.home)/\(file)", "--score", "rotten_tomatoes").status == 0)
                }
                let story = try await scene.posterity("explain", "movie/\(title.id)")
                #expect(story.output.contains("Metacritic \(Int(value))") && story.output.contains("min; "), "\(story.output)")
                let wrong = try await scene.posterity("site", "--score", "imbd")
                #expect(wrong.status == 2 && wrong.errors.contains("imdb"))
                #expect(try await scene.posterity("mirror", "--details", "rating").errors.contains("did you mean ratings"))
            }
        }

        @Test(
            "A refused key and a used-up plan end with the list's exit codes, after the pictures, and the manifest says what is missing",
            arguments: [(401, 4), (402, 4), (429, 5)])
        func refused(status: Int, code: Int32) async throws {
            try await Scene.with(titles: 20) { scene in
                try scene.standIn.addFaults("api path=/3/movie/ after=5 status=\(status) retry-after=0")
                let ending = try await scene.posterity("mirror", "--details", "ratings", "--json")
                #expect(ending.status == code, "\(ending.errors)")
                #expect(ending.errors.contains("(\(status))"))
                let found = try details(of: ending)
                #expect(found.missing > 0 && found.reasons.keys.allSatisfy { $0 == "http-\(status)" })
                let manifest = try await scene.manifest()
                #expect(manifest.complete && manifest.titles.allSatisfy { $0.missing == nil && $0.poster?.sizes.count == 3 })
                #expect(manifest.titles.count { $0.detailsMissing?.reason.rawValue == "http-\(status)" } == found.missing)
                try await ManifestSchema.expectValid(scene)
                scene.standIn.reset()
                let next = try await scene.posterity("mirror", "--details", "ratings", "--json")
                #expect(next.status == 0)
                let had = try details(of: next).fetched
                #expect(had == found.missing && asked(scene) == found.missing, "only the missing are asked")
            }
        }

        @Test("One title that is not known, or an API that fails, costs no picture and no exit code, and is said")
        func unavailable() async throws {
            try await Scene.with(titles: 4) { scene in
                let id = try #require(scene.standIn.titles(in: "trending/movie/week")?[2].id)
                try scene.standIn.addFaults("api path=/3/movie/\(id) status=404")
                let ending = try await scene.posterity("mirror", "--details", "credits")
                #expect(ending.status == 0 && ending.errors.contains("movie/\(id)"), "\(ending.errors)")
                #expect(ending.output.contains("3 fetched, 1 missing") && ending.output.contains("1 × http-404"))
                let story = try await scene.posterity("explain", "movie/\(id)")
                #expect(story.output.contains("no details: http-404"), "\(story.output)")
                scene.standIn.removeFaults()
                try scene.standIn.addFaults("api path=/3/movie/ body=html")
                let broken = try await scene.posterity("mirror", "--details", "credits,ratings", "--quiet")
                #expect(broken.status == 0)
                #expect(broken.errors.contains("error:") && broken.errors.contains("HTML"), "what goes wrong is told even when quiet")
                try await ManifestSchema.expectValid(scene)
            }
        }

        @Test("A run that is killed in the middle is gone on from: what was answered is not asked for again", arguments: [SIGKILL, SIGINT])
        func stopped(signal: Int32) async throws {
            try await Scene.with(titles: 30) { scene in
                #expect(try await scene.posterity("mirror", "--top", "30", "--quiet").status == 0)
                // From the eleventh on no title is answered; those before have time to become durable.
                try scene.standIn.addFaults("api path=/3/movie/ after=10 delay=60000")
                try await scene.beside("mirror", "--top", "30", "--details", "ratings") { program in
                    try await scene.wait { asked(scene) >= 10 }
                    try await Task.sleep(for: .seconds(2))
                    program.signal(signal)
                    let ending = try await program.ending()
                    #expect(ending.status == (signal == SIGKILL ? -SIGKILL : 128 + signal))
                    if signal == SIGINT { #expect(ending.errors.contains("the details of 10 of 30 titles"), "\(ending.errors)") }
                }
                let cache = CacheInspection(root: scene.cache)
                try await cache.expectSound()
                scene.standIn.reset()
                let next = try await scene.posterity("mirror", "--top", "30", "--details", "ratings", "--json")
                #expect(next.status == 0, "\(next.errors)")
                let found = try details(of: next)
                #expect((found.fresh, found.fetched) == (10, 20) && asked(scene) == 20)
            }
        }

        @Test("The deadline covers them: the run ends with what it has, and says what is left")
        func deadline() async throws {
            try await Scene.with(titles: 3) { scene in
                #expect(try await scene.posterity("mirror", "--quiet").status == 0)
                try scene.standIn.addFaults("api path=/3/movie/ delay=60000")
                let ending = try await scene.posterity("mirror", "--details", "ratings", "--deadline", "2s")
                #expect(ending.status == 0, "its pictures are all there: \(ending.errors)")
                #expect(ending.errors.contains("the details of 3 of 3 titles not asked for"), "\(ending.errors)")
                let manifest = try await scene.manifest()
                #expect(manifest.complete && manifest.titles.allSatisfy { $0.detailsMissing?.reason == .interrupted })
                try await ManifestSchema.expectValid(scene)
            }
        }

        @Test("--dry-run counts the requests and says how long they take; the run says it before it begins")
        func estimate() async throws {
            try await Scene.with(titles: 300) { scene in
                let preview = try await scene.posterity(
                    "mirror", "--top", "300", "--details", "ratings", "--dry-run", "--requests-per-minute", "20")
                #expect(preview.status == 0, "\(preview.errors)")
                #expect(
                    preview.output.contains("details     300 requests, 0 settled; about 15 minutes, at 20 requests a minute"),
                    "\(preview.output.prefix(500))")
                #expect(!FileManager.default.fileExists(atPath: scene.cache))
                try await scene.beside("mirror", "--top", "300", "--sizes", "w92", "--details", "ratings", "--requests-per-minute", "20") {
                    program in
                    try await scene.wait { asked(scene) >= 5 }
                    program.signal(SIGINT)
                    let ending = try await program.ending()
                    #expect(ending.errors.contains("details of 300 titles: about 15 minutes, at 20 requests a minute"), "\(ending.errors)")
                }
            }
        }

        @Test("--retry-failed asks for the details that the latest run lacks, and for nothing that it has")
        func retryFailed() async throws {
            try await Scene.with(titles: 4) { scene in
                let id = try #require(scene.standIn.titles(in: "trending/movie/week")?[1].id)
                try scene.standIn.addFaults("api path=/3/movie/\(id) status=404")
                #expect(try await scene.posterity("mirror", "--details", "ratings", "--quiet").status == 0)
                scene.standIn.reset()
                let retried = try await scene.posterity("mirror", "--retry-failed", "--json")
                #expect(retried.status == 0, "\(retried.errors)")
                let had = try details(of: retried)
                #expect(had.fetched == 1 && scene.count(of: "api") == 1 && scene.count(of: "images") == 0)
                let again = try await scene.posterity("mirror", "--retry-failed")
                #expect(again.errors.contains("nothing failed"))
            }
        }

        @Test("A language that the API does not have is allowed, with a note that it answers in English; the others are listed")
        func languages() async throws {
            try await Scene.with(titles: 2) { scene in
                let other = try await scene.posterity("mirror", "--language", "nl-NL")
                #expect(
                    other.status == 0 && other.errorLines.count { $0.contains("nl-NL") && $0.contains("English") } == 1, "\(other.errors)")
                #expect(try await scene.manifest().titles[0].title == scene.standIn.titles(in: "trending/movie/week")?[0].title)
                let known = try await scene.posterity("mirror", "--language", "pt-BR")
                #expect(known.status == 0 && !known.errors.contains("English"))
                #expect(try await scene.posterity("mirror", "--language", "not a tag").status == 2)
                let list = try await scene.posterity("languages")
                #expect(list.status == 0 && list.output.split(separator: "\n").count == 15 && list.output.contains("日本語"))
                struct Row: Decodable {
                    let tag: String
                    let englishName: String
                    let nativeName: String
                }
                let json = try await scene.posterity("languages", "--json")
                let rows = try JSONText.decode([Row].self, from: Array(json.output.utf8))
                #expect(rows.count == 14 && rows.contains { $0.tag == "de" && $0.englishName == "German" && $0.nativeName == "Deutsch" })
            }
        }
    }
}
