import Core
import FoundationEssentials
import Mirroring
import StandIn
import Storage
import Testing

@Suite("Prune and pins")
struct PruneTests {
    /// After this, nothing is fresh and nothing was fetched lately.
    private static let later: TimeInterval = 90 * 86_400

    @Test("The objects of kept and pinned runs stay and still verify, all others go; a dry run says the same and removes nothing")
    func prune() async throws {
        try await Cinema.with(titles: nil) { cinema in
            var runs: [Manifest] = []
            for week in 0..<4 {
                cinema.standIn.week = 10 * week
                #expect(try await cinema.posterity("mirror", "-q", "--top", "3", "--refresh").status == 0)
                runs.append(try await cinema.manifest())
            }
            #expect(Set(runs.map(\.run)).count == 4)
            #expect(try await cinema.posterity("pin", runs[1].run).output == "\(runs[1].run): pinned\n")
            let needed = (runs[1].pictures.union(runs[3].pictures)).map(\.path)
            let unneeded = runs[0].pictures.union(runs[2].pictures).map(\.path).filter { !needed.contains($0) }
            try #require(!unneeded.isEmpty)

            let pruning = CachePruning(RunRetention(.runs(1)))
            let foretold = try await cinema.cache(.readOnly, later: Self.later) { try await pruning.prune($0, dryRun: true) }
            #expect(foretold.removedRuns == [runs[0].run, runs[2].run])
            #expect(Set(foretold.objects.removed) == Set(unneeded))
            #expect((needed + unneeded).allSatisfy(cinema.exists))
            #expect(runs.allSatisfy { cinema.exists("runs/\($0.run).json") })

            let done = try await cinema.cache(later: Self.later) { try await pruning.prune($0, dryRun: false) }
            #expect(done.removedRuns == foretold.removedRuns && done.objects == foretold.objects)
            #expect(needed.allSatisfy(cinema.exists) && !unneeded.contains(where: cinema.exists))
            #expect(try await cinema.cache(.readOnly) { try await $0.runNames() } == [runs[1].run, runs[3].run])
            #expect(try await cinema.posterity("verify").status == 0)

            #expect(try await cinema.posterity("pin", "--remove", runs[1].run).output == "\(runs[1].run): not pinned\n")
            _ = try await cinema.cache(later: Self.later) { try await pruning.prune($0, dryRun: false) }
            #expect(try await cinema.cache(.readOnly) { try await $0.runNames() } == [runs[3].run])
            #expect(try await cinema.posterity("verify").status == 0)
        }
    }

    @Test("What is fresh stays although no run needs it, so that it need not be asked for again")
    func fresh() async throws {
        try await Cinema.with(titles: nil) { cinema in
            cinema.standIn.week = 0
            #expect(try await cinema.posterity("mirror", "-q", "--top", "3").status == 0)
            cinema.standIn.week = 30
            #expect(try await cinema.posterity("mirror", "-q", "--top", "3", "--refresh").status == 0)
            let outcome = try await cinema.posterity("prune", "--keep-runs", "1")
            #expect(outcome.status == 0 && outcome.output.hasPrefix("Removed 1 run and 0 objects (0 B); 1 run and "))
        }
    }

    @Test("Nothing goes while there is room, and then the oldest first; what must stay is said to be too large")
    func maximumSize() async throws {
        try await Cinema.with(titles: 2) { cinema in
            for _ in 1...2 { #expect(try await cinema.posterity("mirror", "-q").status == 0) }
            let roomy = try await cinema.posterity("prune", "--keep-runs", "1", "--max-size", "1GB")
            #expect(roomy.output.hasPrefix("Nothing to remove; there are 2 runs and "))
            let tight = try await cinema.posterity("prune", "--keep-runs", "1", "--max-size", "1k", "--dry-run")
            #expect(tight.output.hasPrefix("Would remove 1 run and 0 objects"))
            #expect(tight.errors.contains("what must stay takes "))
            let young = try await cinema.posterity("prune", "--keep-runs", "1", "--older-than", "1d")
            #expect(young.output.hasPrefix("Nothing to remove"))
        }
    }

    @Test("Beside mirrors that come and go, prune breaks nothing", .timeLimit(.minutes(3)))
    func besideMirrors() async throws {
        try await Cinema.with(titles: nil, cacheControl: "no-cache") { cinema in
            let isOver = Mutex(false)
            async let mirrors: Void = {
                defer { isOver.withLock { $0 = true } }
                for week in 0..<6 {
                    cinema.standIn.week = 10 * week
                    let outcome = try await cinema.posterity("mirror", "--top", "3", "--refresh", "--sizes", "w40")
                    #expect(outcome.status == 0, "\(outcome.errors)")
                }
            }()
            var isLast = false
            while !isLast {
                isLast = isOver.withLock { $0 }
                do {
                    _ = try await cinema.cache(later: Self.later) {
                        try await CachePruning(RunRetention(.runs(1))).prune($0, dryRun: false)
                    }
                } catch let error as CacheError {
                    // The cache is made by the first mirror.
                    #expect(error.code == .notFound || error.code == .notACache, "\(error)")
                }
            }
            try await mirrors
            let outcome = try await cinema.posterity("verify")
            #expect(outcome.status == 0, "\(outcome.output)")
            #expect(try await cinema.cache(.readOnly) { try await $0.runNames() }.count == 1)
        }
    }

    @Test("Each list has its own newest runs and weeks, and what is too young or pinned stays")
    func retention() {
        func run(_ list: String, _ day: Int) -> Manifest {
            let date = Date(iso8601: "2026-11-\(day < 10 ? "0" : "")\(day)T06:00:00Z")!
            return Manifest(
                run: "202611\(day < 10 ? "0" : "")\(day)T060000Z-\(list)", lists: [list], language: "en-US",
                week: ISOWeek(containing: date).description, startedAt: date, finishedAt: date, complete: true, sizes: ["w92"], titles: [])
        }
        let often = [2, 3, 9, 10, 11, 23].map { run("often", $0) }
        let seldom = [1, 8].map { run("seldom", $0) }
        let all = often + seldom
        #expect(RunRetention(.runs(1)).removable(of: all, pinned: []) == (often.dropLast() + [seldom[0]]).map(\.run).sorted())
        #expect(RunRetention(.runs(2)).removable(of: all, pinned: []) == often.dropLast(2).map(\.run))
        // The week without a run does not count.
        #expect(RunRetention(.weeks(2)).removable(of: all, pinned: []) == often.prefix(2).map(\.run))
        #expect(RunRetention(.weeks(2)).removable(of: all, pinned: [often[0].run]) == [often[1].run])
        #expect(RunRetention(.weeks(2), since: often[1].startedAt).removable(of: all, pinned: []) == [often[0].run])
    }
}
