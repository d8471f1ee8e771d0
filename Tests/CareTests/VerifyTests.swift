import Core
import FoundationEssentials
import Glibc
import Mirroring
import StandIn
import Storage
import Testing

@Suite("Verify, repair and rebuild")
struct VerifyTests {
    @Test("Verify finds what is wrong and ends with 6; repair brings the same bytes back from the host and from the originals")
    func repair() async throws {
        try await Cinema.with { cinema in
            #expect(try await cinema.posterity("mirror", "-q").status == 0)
            #expect(try await cinema.posterity("verify", "-q").output.hasSuffix(": all sound\n"))
            let manifest = try await cinema.manifest()
            let sizes = try manifest.titles.map { try #require($0.poster?.sizes["w92"]) }
            let original = try #require(sizes[0].original?.path)
            // Of one poster the original and its rendition, of another the rendition alone, of the third the original alone.
            let bad = [original, sizes[0].renditions[0].path, sizes[1].renditions[0].path, try #require(sizes[2].original?.path)]
            try cinema.damage(bad[0])
            try cinema.damage(bad[2])
            unlink("\(cinema.root)/\(bad[1])")
            unlink("\(cinema.root)/\(bad[3])")

            let found = try await cinema.posterity("verify", "--json")
            #expect(found.status == 6)
            let report = try found.json(Report.self)
            #expect(!report.isSound && report.counts == ["damaged": 2, "missing": 2])
            #expect(Set(report.findings.map(\.path)) == Set(bad))
            #expect(!cinema.exists("damaged"))

            cinema.standIn.reset()
            let repaired = try await cinema.posterity("verify", "--repair", "--json")
            #expect(repaired.status == 0, "\(repaired.output)\(repaired.errors)")
            let after = try repaired.json(Report.self)
            #expect(after.isSound && after.findings.isEmpty)
            #expect(after.repair?.repaired == bad.sorted() && after.repair?.setAside.count == 2 && after.repair?.lost.isEmpty == true)
            #expect(cinema.imageRequests == 2)
            #expect(try await cinema.posterity("verify").status == 0)

            cinema.standIn.reset()
            let numbers = try await cinema.posterity("mirror", "--json").json(RunNumbers.self)
            #expect(numbers.summary.fresh == 6 && numbers.summary.rendered == 0 && cinema.imageRequests == 0)
        }
    }

    @Test("A picture that the host no longer has is said to be lost, and why, and the cache stays unsound until its run is pruned")
    func lost() async throws {
        try await Cinema.with(titles: 2) { cinema in
            #expect(try await cinema.posterity("mirror", "-q").status == 0)
            let original = try #require(try await cinema.manifest().titles[0].poster?.sizes["w40"]?.original?.path)
            unlink("\(cinema.root)/\(original)")
            try cinema.standIn.addFaults("images status=410")
            let outcome = try await cinema.posterity("verify", "--repair", "-q")
            #expect(outcome.status == 6)
            #expect(outcome.output.contains("missing    \(original): "))
            #expect(outcome.output.contains("answers 410"))
        }
    }

    @Test("An index that is gone or garbage is rebuilt from runs and objects alone, and gives the same answers", arguments: [true, false])
    func rebuild(isGarbage: Bool) async throws {
        try await Cinema.with { cinema in
            #expect(try await cinema.posterity("mirror", "-q").status == 0)
            let urls = try await cinema.manifest().sourceRecords.map(\.url)
            let before = try await cinema.cache(.readOnly) { try await $0.sources(of: urls) }
            #expect(before.count == 6)
            for file in ["", "-wal", "-shm"] { unlink("\(cinema.root)/index.sqlite\(file)") }
            if isGarbage {
                try Data(repeating: 7, count: 10_000).write(to: URL(filePath: "\(cinema.root)/index.sqlite"))
                #expect(try await cinema.posterity("mirror", "-q").status == 6)
            }
            let outcome = try await cinema.posterity("verify", "--rebuild-index", "--json")
            #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
            let rebuilt = try outcome.json(Report.self).rebuilt
            #expect(rebuilt?.urls == 6 && rebuilt?.renditions == 6)

            let after = try await cinema.cache(.readOnly) { try await $0.sources(of: urls) }
            #expect(after.mapValues(\.picture) == before.mapValues(\.picture))
            #expect(after.mapValues(\.renditions) == before.mapValues(\.renditions))
            #expect(after.mapValues(\.etag) == before.mapValues(\.etag))
            cinema.standIn.reset()
            let numbers = try await cinema.posterity("mirror", "--json").json(RunNumbers.self)
            #expect(numbers.summary.fresh == 6 && numbers.summary.rendered == 0)
            #expect(cinema.imageRequests == 0)
        }
    }

    @Test("A run that is no manifest is named, and stops prune, which cannot know what it needs")
    func unreadableRun() async throws {
        try await Cinema.with(titles: 1) { cinema in
            #expect(try await cinema.posterity("mirror", "-q").status == 0)
            try Data("<html>".utf8).write(to: URL(filePath: "\(cinema.root)/runs/20200101T000000Z-broken.json"))
            let verify = try await cinema.posterity("verify", "-q")
            #expect(verify.status == 6 && verify.output.contains("runs/20200101T000000Z-broken.json"))
            let prune = try await cinema.posterity("prune", "--keep-runs", "1")
            #expect(prune.status == 6 && prune.errors.contains("20200101T000000Z-broken") && prune.output.isEmpty)
            let explain = try await cinema.posterity("explain", "movie/1")
            #expect(explain.status == 6 && explain.errors.contains("20200101T000000Z-broken"), "what nobody can read may hold the story")
        }
    }

    @Test("Care makes no cache where there is none")
    func noCache() async throws {
        try await Cinema.with(titles: 1) { cinema in
            for verb in [["verify"], ["verify", "--rebuild-index"], ["prune"], ["stats"], ["runs"], ["explain", "1"], ["pin", "x"]] {
                let arguments = verb + ["--cache", cinema.home + "/nowhere"]
                let outcome = try await cinema.posterity(arguments)
                #expect(outcome.status == 6 && outcome.errors.contains("/nowhere"), "\(verb)")
            }
            #expect(!FileManager.default.fileExists(atPath: cinema.home + "/nowhere"))
        }
    }
}

private struct Report: Decodable {
    struct Finding: Decodable {
        let kind: String
        let path: String
    }

    struct Rebuilt: Decodable {
        let urls: Int
        let renditions: Int
    }

    struct Repair: Decodable {
        let repaired: [String]
        let setAside: [String]
        let lost: [String: String]
    }

    let isSound: Bool
    let counts: [String: Int]
    let findings: [Finding]
    let rebuilt: Rebuilt?
    let repair: Repair?
}
