import FoundationEssentials
import Glibc
import StandIn
import TestSupport

// Processes that are killed, and several on one cache at once.

extension FaultCase {
    static let processes: [FaultCase] = [
        FaultCase(.processes, "killed (SIGKILL) at random moments", .long) { bench in try await killed(bench, times: bench.kills) },
        FaultCase(.processes, "killed at 10 random moments", .quick) { bench in try await killed(bench, times: 10) },
        FaultCase(.processes, "interrupted (SIGTERM) at random moments") { bench in
            try await bench.withScene(titles: 6) { scene in
                var finding = Finding()
                let expected = try await scene.undisturbed()
                for round in 0..<15 {
                    let program = try scene.start(["mirror", "--json"] + (round % 2 == 0 ? ["--refresh"] : []))
                    try await Task.sleep(for: .milliseconds(Int.random(in: 1...400)))
                    program.signal(SIGTERM)
                    let ending = try await program.ending()
                    finding.expect([0, 143, -15].contains(ending.status), "exit \(ending.status): \(ending.errors.suffix(200))")
                    try await scene.audit(&finding)
                }
                finding.note("15 times; each left a sound cache")
                try await scene.expectRecovery(&finding, to: expected)
                return finding
            }
        },
        atOnce("two processes, the same list", Array(repeating: ["movie/popular"], count: 2), .quick),
        atOnce("ten processes, the same list", Array(repeating: ["movie/popular"], count: 10)),
        atOnce(
            "ten processes, different lists",
            (0..<10).map { [["movie/popular"], ["movie/top_rated"], ["movie/upcoming"], ["trending/movie/week"], ["tv/popular"]][$0 % 5] }),
        FaultCase(.processes, "a second process while the first is stopped, and then killed") { bench in
            try await bench.withScene { scene in
                var finding = Finding()
                let expected = try await scene.undisturbed()
                try scene.standIn.addFaults("images first=1 delay=60000")
                let first = try scene.start(["mirror", "--json"])
                try await scene.wait { (scene.standIn.counts["images"] ?? 0) >= 5 }
                first.signal(SIGSTOP)
                let second = try scene.start(["mirror", "--json"])
                try await Task.sleep(for: .milliseconds(500))
                first.signal(SIGKILL)
                finding.expect(try await first.ending(), status: -SIGKILL)
                let ending = try await second.ending()
                finding.note("the second ended with \(ending.status) after \(Int(ending.seconds * 10) / 10) s")
                finding.expect(ending, status: 0)
                finding.expect(ending.seconds < 30, "the dead one's lock lingered")
                try await scene.expectRecovery(&finding, to: expected)
                return finding
            }
        },
        FaultCase(.processes, "memory flat over 10,000 posters in one process", .long) { bench in try await flatMemory(bench) },
    ]

    // MARK: - Killing

    private static func killed(_ bench: Bench, times: Int) async throws -> Finding {
        try await bench.withScene(titles: 6) { scene in
            var finding = Finding()
            let expected = try await scene.undisturbed()
            let started = ContinuousClock.now
            let whole = try await scene.mirror()
            finding.expect(whole.ending, status: 0)
            let length = Int((ContinuousClock.now - started) / .milliseconds(1))
            var (kills, caches) = (0, 0)
            while kills < times, finding.problems.isEmpty {
                // A cache of its own for some kills in a row: later runs meet what earlier ones have left.
                _ = try await ProgramRun.shell("rm -rf \"$1\"", scene.cache)
                caches += 1
                for _ in 0..<Int.random(in: 1...8) where kills < times && finding.problems.isEmpty {
                    let program = try scene.start(["mirror", "--json"] + (Bool.random() ? ["--refresh"] : []))
                    try await Task.sleep(for: .milliseconds(Int.random(in: 0...length)))
                    program.signal(SIGKILL)
                    _ = try await program.ending()
                    kills += 1
                    try await scene.audit(&finding)
                }
                try await scene.expectRecovery(&finding, to: expected)
            }
            finding.note("\(kills) kills over \(caches) caches; each left a sound cache, and each was then completed to the same objects")
            return finding
        }
    }

    // MARK: - Several at once

    private static func atOnce(_ what: String, _ lists: [[String]], _ pace: Pace = .ordinary) -> FaultCase {
        FaultCase(.processes, what, pace) { bench in
            try await bench.withScene(titles: 6) { scene in
                var finding = Finding()
                let all = Set(lists.flatMap(\.self)).sorted()
                let root = scene.home + "/undisturbed"
                let alone = MirrorEnding(try await scene.start(["mirror", "--json", "--cache", root] + all).ending())
                finding.expect(alone.ending, status: 0)
                let expected = CacheAudit.objects(in: root)
                scene.standIn.reset()
                let programs = try lists.map { try scene.start(["mirror", "--json"] + $0) }
                var fetched = 0
                for program in programs {
                    let run = MirrorEnding(try await program.ending())
                    finding.expect(run.ending, status: 0)
                    fetched += run.summary?.fetched ?? 0
                }
                finding.note("all exit 0; \(fetched) downloads for \(alone.summary?.fetched ?? 0) pictures")
                finding.expect(fetched <= 2 * (alone.summary?.fetched ?? 0), "each process downloaded all of it")
                finding.expect(CacheAudit.objects(in: scene.cache) == expected, "not the objects of one process alone")
                try await scene.audit(&finding)
                finding.expect(CacheAudit.leftovers(in: scene.cache).isEmpty, "tmp is not empty")
                return finding
            }
        }
    }

    // MARK: - Memory

    /// One process, 10,000 posters of one size: its memory after 10,000 is that after 2,000.
    private static func flatMemory(_ bench: Bench) async throws -> Finding {
        try await bench.withScene(titles: 10_000) { scene in
            var finding = Finding()
            // One small picture under every name: what is measured is the program, not the stand-in's brush.
            let served = scene.home + "/served.jpg"
            let pattern = try await scene.mirror("--cache", scene.home + "/pattern", "--sizes", "w92", "--top", "1")
            finding.expect(pattern.ending, status: 0)
            _ = try await ProgramRun.shell("cp \"$1\"/pattern/objects/*/*.jpg \"$2\"", scene.home, served)
            try scene.standIn.addFaults("images file=\(served)")
            let program = try scene.start(["mirror", "--json", "--top", "10000", "--sizes", "w92"])
            var (early, late) = (0, 0)
            var asked = 0
            while asked < 9_900, kill(program.pid, 0) == 0, residentKilobytes(program.pid) > 0 {
                try await Task.sleep(for: .milliseconds(20))
                asked = scene.standIn.counts["images"] ?? 0
                let now = residentKilobytes(program.pid)
                if (1_500...2_500).contains(asked) { early = max(early, now) }
                if asked >= 9_000 { late = max(late, now) }
            }
            let run = MirrorEnding(try await program.ending())
            finding.expect(run.ending, status: 0)
            finding.note("\(early / 1_000) MB after 2,000, \(late / 1_000) MB after 10,000")
            finding.expect(early > 0 && late > 0, "it was not measured")
            // What is known of each poster until the manifest is written takes some 2 kB.
            finding.expect(late < early + 8_000 * 3 + 10_000, "it grows by \((late - early) * 1_000 / 8_000) bytes a poster")
            try await scene.audit(&finding)
            return finding
        }
    }

    private static func residentKilobytes(_ process: pid_t) -> Int {
        guard let data = try? Data(contentsOf: URL(filePath: "/proc/\(process)/statm")) else { return 0 }
        let fields = String(decoding: data, as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4 : 0
    }
}
