import Core
import FoundationEssentials
import Mirroring
import StandIn
import Testing

@Suite("Runs, statistics and stories")
struct RunsTests {
    @Test("Runs are listed with their numbers, and two of them compared; what is no pair of runs is explained")
    func runs() async throws {
        try await Cinema.with(titles: nil) { cinema in
            var runs: [Manifest] = []
            for week in [0, 1] {
                cinema.standIn.week = week
                #expect(try await cinema.posterity("mirror", "-q", "--top", "8", "--refresh", "--sizes", "w40").status == 0)
                runs.append(try await cinema.manifest())
            }
            let rows = try await cinema.posterity("runs", "--json").json([Row].self)
            #expect(rows.map(\.run) == runs.map(\.run))
            #expect(rows.allSatisfy { $0.titles == 8 && $0.missing == 0 && !$0.pinned && $0.complete })
            let table = try await cinema.posterity("runs").output.split(separator: "\n")
            #expect(table.count == 3 && table[0].hasPrefix("run ") && table[1].hasPrefix(runs[0].run))

            let ids = runs.map { $0.titles.map(\.id) }
            let comparison = try await cinema.posterity("runs", "\(runs[0].run)..\(runs[1].run)", "--json").json(Comparison.self)
            #expect(comparison.added.map(\.id) == ids[1].filter { !ids[0].contains($0) })
            #expect(comparison.gone.map(\.id) == ids[0].filter { !ids[1].contains($0) })
            let movers = ids[1].filter { id in ids[0].firstIndex(of: id).map { $0 != ids[1].firstIndex(of: id) } ?? false }
            #expect(comparison.moved.map(\.id) == movers)
            try #require(!comparison.added.isEmpty || !movers.isEmpty)
            let text = try await cinema.posterity("runs", "..")
            #expect(text.output.hasPrefix("From \(runs[0].run) to \(runs[1].run)\n"))
            #expect(try await cinema.posterity("runs", "\(runs[1].run)..").output.hasSuffix("\nNothing changed.\n"))

            #expect(try await cinema.posterity("runs", runs[0].run).status == 2)
            let unknown = try await cinema.posterity("runs", "2001-W01..")
            #expect(unknown.status == 1 && unknown.errors.contains("no run of the week 2001-W01"))
        }
    }

    @Test("A picture that is another one now, has come or has gone, is told for each size that both runs have")
    func changedPictures() {
        func manifest(_ run: String, _ digests: [String: [String: String]], sizes: [String]) -> Manifest {
            let time = Date(iso8601: "2026-11-30T06:00:00Z")!
            let titles = digests.sorted { $0.key < $1.key }.enumerated().map { index, entry in
                let sizes = entry.value.mapValues { text in
                    let digest = Digest(of: text.utf8)
                    let original = Manifest.Original(
                        url: "https://host.example/\(entry.key)", path: "objects/x", digest: digest, bytes: 1, width: 1, height: 1,
                        mediaType: "image/jpeg", etag: nil, lastModified: nil, fetchedAt: time, freshUntil: time)
                    return Manifest.Size(original: original, renditions: [])
                }
                let poster = Manifest.Poster(path: "/x.jpg", colour: nil, placeholder: nil, sizes: sizes)
                return Manifest.Title(
                    rank: index + 1, list: "movie/popular", id: index + 1, mediaType: "movie", title: entry.key, year: nil, score: nil,
                    poster: poster, missing: nil)
            }
            return Manifest(
                run: run, lists: ["movie/popular"], language: "en-US", week: "2026-W49", startedAt: time, finishedAt: time, complete: true,
                sizes: sizes, titles: titles)
        }
        let before = manifest("a", ["1": ["w92": "x", "w40": "y"], "2": ["w92": "z"], "3": [:]], sizes: ["w92", "w40"])
        let after = manifest("b", ["1": ["w92": "X", "w185": "y"], "2": [:], "3": ["w92": "q"]], sizes: ["w92", "w185"])
        let comparison = RunComparison(from: before, to: after)
        #expect(comparison.added.isEmpty && comparison.gone.isEmpty && comparison.moved.isEmpty)
        #expect(
            comparison.changedPictures.map { "\($0.title) \($0.size) \($0.before != nil) \($0.now != nil)" } == [
                "1 w92 true true", "2 w92 true false", "3 w92 false true",
            ])
    }

    @Test("Statistics say how much there is of what")
    func statistics() async throws {
        try await Cinema.with(titles: 2) { cinema in
            #expect(try await cinema.posterity("mirror", "-q").status == 0)
            let statistics = try await cinema.posterity("stats", "--json").json(Statistics.self)
            #expect(statistics.originals.objects == 4 && statistics.renditions.objects == 4 && statistics.all.objects == 8)
            #expect(statistics.runs == 1 && statistics.urls == 4 && statistics.failures == 0)
            let table = try await cinema.posterity("stats").output.split(separator: "\n").map { $0.split(separator: " ").prefix(2) }
            #expect(table.contains(["originals", "4"]) && table.contains([".webp", "4"]))
        }
    }

    @Test("The story of a picture that is there, by id, by path, by URL and by title")
    func storyOfPresent() async throws {
        try await Cinema.with(titles: 2) { cinema in
            #expect(try await cinema.posterity("mirror", "-q").status == 0)
            let title = try await cinema.manifest().titles[1]
            let poster = try #require(title.poster)
            let url = try #require(poster.sizes["w92"]?.original?.url)
            let story = try await cinema.posterity("explain", "\(title.id)", "--json").json(Story.self)
            #expect(story.titles.map(\.title) == [title.title] && story.appearances.map(\.rank) == [2])
            #expect(story.pictures.count == 2 && story.pictures.allSatisfy { $0.state == "fresh" && $0.renditions.count == 1 })
            for subject in ["movie/\(title.id)", poster.path, title.title.uppercased()] {
                let other = try await cinema.posterity("explain", subject, "--json")
                #expect(try other.json(Story.self) == story, "\(subject): \(other.errors)")
            }
            let one = try await cinema.posterity("explain", url, "--json").json(Story.self)
            #expect(one.titles == story.titles && one.pictures == story.pictures.filter { $0.url == url })

            let text = try await cinema.posterity("explain", "\(title.id)").output
            #expect(text.contains(url) && text.contains("it is not asked for before then") && text.contains("ETag"))
            try FileManager.default.removeItem(atPath: "\(cinema.root)/\(poster.sizes["w92"]!.original!.path)")
            let lost = try await cinema.posterity("explain", url, "--json").json(Story.self)
            #expect(lost.pictures.map(\.state) == ["lost"])
        }
    }

    @Test("The story of a picture that is stale, that failed, or that was never there")
    func storyOfAbsent() async throws {
        try await Cinema.with(titles: nil, cacheControl: "no-cache") { cinema in
            try cinema.standIn.addFaults("images status=404")
            #expect(try await cinema.posterity("mirror", "-q", "--top", "100").status == 3)
            let titles = try await cinema.manifest().titles
            let without = try #require(titles.first { $0.missing?.reason == .noPoster })
            let failed = try #require(titles.first { $0.missing?.reason == .status(404) })
            let none = try await cinema.posterity("explain", "\(without.mediaType)/\(without.id)")
            #expect(none.status == 0 && none.output.contains("no-poster") && none.output.contains("No picture of it was ever asked for."))
            let absent = try await cinema.posterity("explain", "\(failed.id)")
            #expect(absent.status == 0 && absent.output.contains("not there: http-404") && absent.output.contains("--retry-missing"))

            cinema.standIn.removeFaults()
            #expect(try await cinema.posterity("mirror", "-q", "--top", "1", "--retry-missing").status == 0)
            let first = try #require(try await cinema.manifest().titles.first)
            #expect(try await cinema.posterity("explain", "\(first.id)").output.contains("the next mirror asks whether it has changed"))

            let unknown = try await cinema.posterity("explain", "999999999")
            #expect(unknown.status == 1 && unknown.errors.contains("nothing is known of the title 999999999"))
            let words = String(first.title.dropLast())
            let near = try await cinema.posterity("explain", words)
            #expect(near.status == 1 && near.errors.contains("did you mean"), "\(near.errors)")
        }
    }
}

private struct Row: Decodable {
    let run: String
    let titles: Int
    let missing: Int
    let pinned: Bool
    let complete: Bool
}

private struct Comparison: Decodable {
    struct Title: Decodable {
        let id: Int
    }

    let added: [Title]
    let gone: [Title]
    let moved: [Title]
}

private struct Statistics: Decodable {
    struct Amount: Decodable {
        let objects: Int
    }

    let all: Amount
    let originals: Amount
    let renditions: Amount
    let urls: Int
    let failures: Int
    let runs: Int
}

private struct Story: Decodable, Equatable {
    struct Title: Decodable, Equatable {
        let title: String
    }

    struct Appearance: Decodable, Equatable {
        let rank: Int
    }

    struct Picture: Decodable, Equatable {
        struct Object: Decodable, Equatable {
            let path: String
        }

        let url: String
        let state: String
        let renditions: [Object]
    }

    let titles: [Title]
    let appearances: [Appearance]
    let pictures: [Picture]
}
