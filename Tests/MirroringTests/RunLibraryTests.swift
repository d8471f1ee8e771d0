import Core
import FoundationEssentials
import Mirroring
import Storage
import TestSupport
import Testing

@Suite("The runs that a cache holds")
struct RunLibraryTests {
    private func withLibrary(_ runs: [Manifest], _ body: (RunLibrary, Cache) async throws -> Void) async throws {
        try await withTemporaryDirectory { directory in
            try await Cache.withCache(at: directory + "/cache", access: .readWrite, clock: .system, log: .silent) { cache in
                for run in runs { _ = try await cache.saveRun(named: run.run, json: JSONText.encode(run)) }
                try await body(RunLibrary(cache), cache)
            }
        }
    }

    private func run(_ time: String, _ list: String = "trending/movie/week", language: String = "en-US", complete: Bool = true) -> Manifest
    {
        let date = Date(iso8601: time)!
        let stamp = time.filter { $0 != "-" && $0 != ":" }
        return Manifest(
            run: "\(stamp)-" + String(list.map { $0 == "/" || $0 == "_" ? "-" : $0 }), lists: [list], language: language,
            week: ISOWeek(containing: date).description, startedAt: date, finishedAt: date, complete: complete, sizes: ["w185"], titles: [])
    }

    @Test("A run is found by its name, the beginning of it, its list or its week, else the latest is meant")
    func selectors() async throws {
        let (first, second, third) = (
            run("2026-11-16T06:00:00Z"), run("2026-11-23T06:00:00Z", "movie/popular"), run("2026-11-30T06:00:00Z", "movie/now_playing")
        )
        try await withLibrary([first, second, third]) { (library, _) async throws in
            #expect(try await library.run(nil) == third)
            #expect(try await library.run(first.run) == first)
            #expect(try await library.run("20261123") == second)
            #expect(try await library.run("trending/movie/week") == first)
            #expect(try await library.run("2026-W48") == second)
            #expect(try await library.run("2026-W49") == third)
        }
    }

    @Test(
        "A run is found by its file, by its list's name in files, and by a week in small letters",
        arguments: ["runs/20261123T060000Z-movie-popular.json", "20261123T060000Z-movie-popular.json", "movie-popular", "2026-w48"])
    func otherSelectors(selector: String) async throws {
        let wanted = run("2026-11-23T06:00:00Z", "movie/popular")
        try await withLibrary([run("2026-11-16T06:00:00Z"), wanted, run("2026-11-30T06:00:00Z")]) { (library, _) async throws in
            #expect(try await library.run(selector) == wanted)
        }
    }

    @Test(
        "A letter or two are no selector, and a long one is not repeated whole",
        arguments: ["2", "202", String(repeating: "x", count: 5_000)])
    func slips(selector: String) async throws {
        try await withLibrary([run("2026-11-23T06:00:00Z")]) { (library, _) async throws in
            let error = await #expect(throws: RunLibraryError.self) { _ = try await library.run(selector) }
            #expect((error?.description.count ?? 0) < 300)
        }
    }

    @Test("A copied manifest is a run by its file's name, not by the one it says it is")
    func copiedRun() async throws {
        let original = run("2026-11-16T06:00:00Z")
        try await withLibrary([original]) { (library, cache) async throws in
            _ = try await cache.saveRun(named: "20261123T060000Z-trending-movie-week", json: JSONText.encode(original))
            #expect(try await library.run(nil).run == "20261123T060000Z-trending-movie-week")
        }
    }

    @Test("Files that are no runs are passed over")
    func foreignFiles() async throws {
        let wanted = run("2026-11-23T06:00:00Z")
        try await withLibrary([wanted]) { library, cache in
            for name in ["zzz", "notes-of-mine", "20261123-x"] { _ = try await cache.saveRun(named: name, json: Array("{}".utf8)) }
            #expect(try await library.run(nil) == wanted)
            #expect(try await library.everything().names == [wanted.run])
        }
    }

    @Test("A damaged run is named with what is wrong and the newest good one; it stops only whoever wants it")
    func damagedRun() async throws {
        let (first, second) = (run("2026-11-16T06:00:00Z"), run("2026-11-23T06:00:00Z"))
        try await withLibrary([first, second]) { library, cache in
            let damaged = "20261130T060000Z-trending-movie-week"
            _ = try await cache.saveRun(named: damaged, json: Array("{\"version\": 1, \"run\": ".utf8))
            for selector in [nil, damaged, "trending/movie/week", "2026-W49"] {
                let error = await #expect(throws: RunLibraryError.self) { _ = try await library.run(selector) }
                #expect(error?.code == .damaged)
                let text = error?.description ?? ""
                #expect(text.contains("runs/\(damaged).json is damaged: it is broken or cut-off JSON"))
                #expect(text.hasSuffix("the newest good run is \(second.run)"))
                #expect(!text.contains("DecodingError") && !text.contains("Context"))
            }
            #expect(try await library.run("2026-W48") == second)
            #expect(try await library.history(of: run("2026-12-07T06:00:00Z"), weeks: 12) == [second, first])
        }
    }

    @Test("The latest run that fits is meant")
    func latest() async throws {
        let runs = [run("2026-11-23T06:00:00Z"), run("2026-11-24T06:00:00Z"), run("2026-11-25T06:00:00Z", "movie/popular")]
        try await withLibrary(runs) { (library, _) async throws in
            #expect(try await library.run("trending/movie/week") == runs[1])
            #expect(try await library.run("2026-W48") == runs[2])
            #expect(try await library.run("202611") == runs[2])
        }
    }

    @Test("A run that is not there is an error with a word on what to do", arguments: [nil, "2026-W01", "movie/top_rated", "2025"])
    func absent(selector: String?) async throws {
        try await withLibrary(selector == nil ? [] : [run("2026-11-23T06:00:00Z")]) { (library, _) async throws in
            let error = await #expect(throws: RunLibraryError.self) { _ = try await library.run(selector) }
            #expect(error?.description.contains("posterity") == true)
        }
    }

    @Test(
        "A manifest of a newer version, or none at all, is refused", arguments: ["{\"version\": 99}", "{}", "[1]", "", "{\"version\": 1}"])
    func unreadable(json: String) async throws {
        try await withLibrary([]) { library, cache in
            _ = try await cache.saveRun(named: "20261123T060000Z-x", json: Array(json.utf8))
            let error = await #expect(throws: RunLibraryError.self) { _ = try await library.run(nil) }
            #expect(error?.description.contains("20261123T060000Z-x") == true)
        }
    }

    @Test("History is the last whole run of each earlier week with the same lists and language, newest first")
    func history() async throws {
        let current = run("2026-11-30T12:00:00Z")
        let wanted = [run("2026-11-27T06:00:00Z"), run("2026-11-16T06:00:00Z"), run("2026-11-02T06:00:00Z")]
        let others = [
            run("2026-11-24T06:00:00Z"), run("2026-11-28T06:00:00Z", "movie/popular"), run("2026-11-29T06:00:00Z", language: "de-DE"),
            run("2026-11-17T06:00:00Z", complete: false), run("2026-12-07T06:00:00Z"),
        ]
        try await withLibrary(wanted + others + [current]) { (library, _) async throws in
            #expect(try await library.history(of: current, weeks: 12) == wanted)
            #expect(try await library.history(of: current, weeks: 2) == Array(wanted.prefix(2)))
            #expect(try await library.history(of: wanted[2], weeks: 12).isEmpty)
        }
    }

    @Test("A run of two lists is no earlier run of one of them")
    func otherLists() async throws {
        var both = run("2026-11-23T06:00:00Z")
        both.lists.append("movie/popular")
        both.run += "-and-1-more"
        let current = run("2026-11-30T06:00:00Z")
        try await withLibrary([both, current]) { (library, _) async throws in
            #expect(try await library.history(of: current, weeks: 12).isEmpty)
        }
    }
}
