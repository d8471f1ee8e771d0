import Core
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
                    let ending = try await stopped(scene, round % 2 == 0, by: SIGTERM, within: 400)
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
        FaultCase(.processes, "ten processes, while others prune") { bench in
            try await bench.withScene(titles: 6) { scene in
                var finding = Finding()
                let expected = try await scene.undisturbed()
                let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
                    for _ in 0..<10 { group.addTask { try await scene.mirror().status } }
                    for _ in 0..<3 {
                        group.addTask {
                            for _ in 0..<8 {
                                let pruned = try await scene.posterity("prune", "--keep-runs", "1")
                                // Before the first of the others has made a cache there is none to prune.
                                if pruned.status != 0, !pruned.errors.contains("is no cache"), !pruned.errors.contains("o such file") {
                                    return pruned.status
                                }
                            }
                            return 0
                        }
                    }
                    return try await group.reduce(into: [Int32]()) { $0.append($1) }
                }
                finding.note("ended with \(Set(statuses).sorted())")
                finding.expect(statuses.allSatisfy { $0 == 0 }, "some ended with \(Set(statuses))")
                try await scene.audit(&finding)
                try await scene.expectRecovery(&finding, to: expected)
                return finding
            }
        },
        FaultCase(.processes, "a second process while the first is stopped, and then killed") { bench in
            try await bench.withScene { scene in
                var finding = Finding()
                let expected = try await scene.undisturbed()
                try scene.standIn.addFaults("images first=1 delay=8000")
                let ending = try await scene.withMirror { first in
                    try await scene.wait { (scene.standIn.counts["images"] ?? 0) >= 5 }
                    first.signal(SIGSTOP)
                    return try await scene.withMirror { second in
                        try await Task.sleep(for: .milliseconds(500))
                        first.signal(SIGKILL)
                        return try await ProgramRun.ending(of: second)
                    }
                }
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

    /// A run that a signal ends after at most so many milliseconds.
    private static func stopped(_ scene: Scene, _ refreshes: Bool, by signal: Int32, within length: Int) async throws -> ProgramRun.Ending {
        try await scene.withMirror(refreshes ? ["--refresh"] : []) { program in
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...length)))
            program.signal(signal)
            return try await ProgramRun.ending(of: program)
        }
    }

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
                try await ProgramRun.shell("rm -rf \"$1\"", scene.cache)
                caches += 1
                for _ in 0..<Int.random(in: 1...8) where kills < times && finding.problems.isEmpty {
                    _ = try await stopped(scene, Bool.random(), by: SIGKILL, within: length)
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
                let alone = MirrorEnding(try await scene.run(["mirror", "--json", "--cache", root] + all))
                finding.expect(alone.ending, status: 0)
                let expected = CacheAudit.objects(in: root)
                scene.standIn.reset()
                let runs = try await withThrowingTaskGroup(of: MirrorEnding.self) { group in
                    for list in lists { group.addTask { MirrorEnding(try await scene.run(["mirror", "--json"] + list)) } }
                    return try await group.reduce(into: [MirrorEnding]()) { $0.append($1) }
                }
                for run in runs { finding.expect(run.ending, status: 0) }
                let fetched = runs.reduce(0) { $0 + ($1.summary?.fetched ?? 0) }
                finding.note("all exit 0; \(fetched) downloads for \(alone.summary?.fetched ?? 0) pictures")
                // Lists that share pictures may fetch them at the same time; the same list is mirrored once.
                finding.expect(fetched <= all.count * (alone.summary?.fetched ?? 0), "each process downloaded all of it")
                finding.expect(CacheAudit.objects(in: scene.cache) == expected, "not the objects of one process alone")
                try await scene.audit(&finding)
                finding.expect(CacheAudit.leftovers(in: scene.cache).isEmpty, "tmp is not empty")
                return finding
            }
        }
    }

    // MARK: - Memory

    /// One process, 10,000 posters of one size: its memory after 10,000 is that after 2,000.
    ///
    /// One small picture under every name, and no painter: what is measured is the program.
    private static func flatMemory(_ bench: Bench) async throws -> Finding {
        try await bench.withScene(titles: 10_000) { scene in
            let picture = try await smallPicture(scene)
            let answered = Mutex(0)
            let answer: @Sendable (ScriptedServer.Request, ScriptedServer.Connection) -> Bool = { _, connection in
                answered.withLock { $0 += 1 }
                return connection.send(body: picture)
            }
            return try await ScriptedServer.withServer(answer: answer) { server in
                var finding = Finding()
                let arguments = ["--images", server.url + "/t/p", "--top", "10000", "--sizes", "w92"]
                let (early, late, ending) = try await scene.withMirror(arguments) { program in
                    var (early, late) = (0, 0)
                    while case let now = residentKilobytes(program.pid), now > 0 {
                        let count = answered.withLock { $0 }
                        if (1_500...2_500).contains(count) { early = max(early, now) }
                        if (9_400...9_900).contains(count) { late = max(late, now) }
                        try await Task.sleep(for: .milliseconds(20))
                    }
                    return (early, late, try await ProgramRun.ending(of: program))
                }
                finding.expect(ending, status: 0)
                finding.note(
                    "\(early / 1_000) MB after 2,000, \(late / 1_000) MB before 10,000, \(ending.peakMegabytes) MB with the manifest")
                finding.expect(early > 0 && late > 0, "it was not measured")
                // What the manifest will say of each poster is kept until it is written, and is then written all at once.
                finding.expect(late < early + 25_000, "it grows by \((late - early) / 8) bytes a poster")
                finding.expect(ending.peakMegabytes < 300, "the manifest takes it to \(ending.peakMegabytes) MB")
                try await scene.audit(&finding)
                return finding
            }
        }
    }

    private static func smallPicture(_ scene: Scene) async throws -> [UInt8] {
        let root = scene.home + "/pattern"
        let pattern = try await scene.mirror("--cache", root, "--sizes", "w92", "--top", "1")
        guard pattern.status == 0, let name = CacheAudit.objects(in: root).first(where: { $0.hasSuffix(".jpg") }) else {
            throw TestSupportError("no pattern: \(pattern.ending.errors)")
        }
        return [UInt8](try Data(contentsOf: URL(filePath: "\(root)/objects/\(name)")))
    }

    private static func residentKilobytes(_ process: pid_t) -> Int {
        guard let data = try? Data(contentsOf: URL(filePath: "/proc/\(process)/statm")) else { return 0 }
        let fields = String(decoding: data, as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4 : 0
    }
}
