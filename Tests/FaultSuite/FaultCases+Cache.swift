import FoundationEssentials
import Glibc
import StandIn
import TestSupport

// Disks that are full, directories that may not be written to, limits that are met, and what is taken away from under the program.

extension FaultCase {
    static let cache: [FaultCase] =
        [
            FaultCase(.cache, "a full disk (tmpfs of 300 kB)") { bench in
                try await bench.withScene(titles: 10) { scene in
                    try await withMount(["-t", "tmpfs", "-o", "size=300k", "tmpfs"], at: scene.cache) {
                        let expected = try await scene.undisturbed()
                        var finding = try await trouble(scene, try await scene.mirror())
                        try await ProgramRun.shell("mount -o remount,size=60m \"$1\"", scene.cache)
                        try await scene.expectRecovery(&finding, to: expected)
                        return finding
                    }
                }
            },
            limited("a file may be at most 8 kB (ulimit -f)", "ulimit -f 8; exec \"$@\"", .quick),
            limited("a file may be at most 64 kB", "ulimit -f 64; exec \"$@\""),
        ]
        + [8, 16, 24, 32, 48, 64].map { count in
            FaultCase(.cache, "at most \(count) open files") { bench in
                try await bench.withScene { scene in
                    let expected = try await scene.undisturbed()
                    let run = try await scene.mirror(by: "ulimit -n \(count); exec \"$@\"")
                    var finding = Finding()
                    finding.note("exit \(run.status)" + (run.status == 0 ? "" : ": \(run.lastWords.prefix(90))"))
                    finding.expect([0, 1, 3, 6].contains(run.status), "exit \(run.status): \(run.ending.errors.suffix(300))")
                    finding.expect(run.status == 0 || !run.lastWords.isEmpty, "not a word")
                    try await scene.audit(&finding)
                    try await scene.expectRecovery(&finding, to: expected)
                    return finding
                }
            }
        } + [
            FaultCase(.cache, "a read-only file system") { bench in
                try await bench.withScene { scene in
                    let expected = try await scene.undisturbed()
                    _ = try await scene.mirror()
                    let manifest = try await scene.posterity("manifest").output
                    return try await withMount(["--bind", scene.cache], at: scene.cache) {
                        try await ProgramRun.shell("mount -o remount,ro,bind \"$1\"", scene.cache)
                        var finding = try await trouble(scene, try await scene.mirror("--refresh"))
                        finding.expect(try await scene.posterity("manifest").output == manifest, "reading does not work")
                        finding.expect(CacheAudit.objects(in: scene.cache) == expected, "other objects than before")
                        return finding
                    }
                }
            },
            FaultCase(.cache, "no permission to write into the cache", .quick) { bench in
                try await bench.withScene { scene in
                    let expected = try await scene.undisturbed()
                    var finding: Finding
                    if geteuid() == 0 {
                        // Somebody else's cache; the home is open so that the program can be started.
                        _ = try await scene.mirror("--sizes", "w185")
                        chmod(scene.home, 0o777)
                        finding = try await trouble(
                            scene, try await scene.mirror(by: "exec setpriv --reuid 65534 --regid 65534 --clear-groups \"$@\"", "--refresh")
                        )
                    } else {
                        mkdir(scene.cache, 0o500)
                        finding = try await trouble(scene, try await scene.mirror())
                        chmod(scene.cache, 0o700)
                    }
                    try await scene.expectRecovery(&finding, to: expected)
                    return finding
                }
            },
            FaultCase(.cache, "tmp on another device") { bench in
                try await bench.withScene { scene in
                    let expected = try await scene.undisturbed()
                    _ = try await scene.mirror("--sizes", "w185")
                    var finding = try await withMount(["-t", "tmpfs", "tmpfs"], at: scene.cache + "/tmp") {
                        try await trouble(scene, try await scene.mirror("--refresh"))
                    }
                    try await scene.expectRecovery(&finding, to: expected)
                    return finding
                }
            },
            FaultCase(.cache, "the cache deleted while running", .quick) { bench in
                try await bench.withScene(titles: 10) { scene in
                    let expected = try await scene.undisturbed()
                    try scene.standIn.addFaults("images after=8 delay=700")
                    let ending = try await scene.withMirror { program in
                        try await scene.wait { (scene.standIn.counts["images"] ?? 0) >= 9 }
                        try await ProgramRun.shell("rm -rf \"$1\"", scene.cache)
                        return try await ProgramRun.ending(of: program)
                    }
                    var finding = try await trouble(scene, MirrorEnding(ending))
                    try await scene.expectRecovery(&finding, to: expected)
                    return finding
                }
            },
            FaultCase(.cache, "a file where the cache should be") { bench in
                try await bench.withScene { scene in
                    try Data("letter".utf8).write(to: URL(filePath: scene.cache))
                    let finding = try await trouble(scene, try await scene.mirror())
                    return finding
                }
            },
            FaultCase(.cache, "the index overwritten with noise") { bench in
                try await bench.withScene { scene in
                    let expected = try await scene.undisturbed()
                    _ = try await scene.mirror()
                    try Data(repeating: 7, count: 20_000).write(to: URL(filePath: scene.cache + "/index.sqlite"))
                    var finding = Finding()
                    let run = try await scene.mirror("--refresh")
                    finding.expect(run.ending, status: 6)
                    let rebuilt = try await scene.posterity("verify", "--rebuild-index")
                    finding.note("exit \(run.status); then verify --rebuild-index: exit \(rebuilt.status)")
                    finding.expect(rebuilt, status: 0)
                    try await scene.expectRecovery(&finding, to: expected)
                    return finding
                }
            },
            FaultCase(.cache, "an object's bytes changed behind its back") { bench in
                try await bench.withScene { scene in
                    var finding = Finding()
                    let expected = try await scene.undisturbed()
                    _ = try await scene.mirror()
                    let script =
                        "cd \"$1\" && for f in objects/*/*.jpg; do chmod u+w $f && printf x | dd of=$f conv=notrunc bs=1 seek=40 status=none; chmod 444 $f; done"
                    try await ProgramRun.shell(script, scene.cache)
                    // Another recipe needs every original, and so finds out.
                    let run = try await scene.mirror("--recipe", "cover,radius=20%,png")
                    finding.note("exit \(run.status), \(run.summary?.fetched ?? 0) fetched again")
                    finding.expect(run.ending, status: 0)
                    finding.expect(run.summary?.fetched == 3 * Scene.titles, "not all were fetched again")
                    finding.expect(CacheAudit.objects(in: scene.cache).isSuperset(of: expected), "originals are missing")
                    try await scene.audit(&finding)
                    return finding
                }
            },
            FaultCase(.cache, "objects cut short, removed and renamed", .quick) { bench in
                try await bench.withScene { scene in
                    var finding = Finding()
                    let expected = try await scene.undisturbed()
                    _ = try await scene.mirror()
                    let script = """
                        cd "$1" && set -- objects/*/* && chmod u+w "$@" && truncate -s 100 "$1" "$2" && rm "$3" "$4" && mv "$5" "${5%/*}/nobody.jpg"
                        shift 5 && chmod 444 "$@"
                        """
                    try await ProgramRun.shell(script, scene.cache)
                    let found = try await scene.posterity("verify")
                    let repaired = try await scene.posterity("verify", "--repair")
                    finding.note("verify: exit \(found.status); verify --repair: exit \(repaired.status)")
                    finding.expect(found, status: 6)
                    finding.expect(repaired, status: 0)
                    try await scene.expectRecovery(&finding, to: expected)
                    return finding
                }
            },
            FaultCase(.cache, "the clock set back by ten years") { bench in
                try await bench.withScene { scene in
                    var finding = Finding()
                    let expected = try await scene.undisturbed()
                    _ = try await scene.mirror()
                    // What the program has written then comes from the future.
                    let columns = try await ProgramRun.shell(
                        "sqlite3 \"$1/index.sqlite\" \"SELECT name FROM pragma_table_info('sources') WHERE name LIKE 'fetched%' OR name LIKE 'fresh%'\"",
                        scene.cache)
                    finding.expect(!columns.isEmpty, "the index has no times")
                    for column in columns.split(separator: "\n") {
                        try await ProgramRun.shell(
                            "sqlite3 \"$1/index.sqlite\" \"UPDATE sources SET $2 = $2 + 315360000\"", scene.cache, String(column))
                    }
                    scene.standIn.reset()
                    let run = try await scene.mirror()
                    finding.note("exit \(run.status), \(scene.standIn.counts["images"] ?? 0) pictures asked for again")
                    finding.expect(run.ending, status: 0)
                    finding.expect((scene.standIn.counts["images"] ?? 0) == 3 * Scene.titles, "copies from the future counted as fresh")
                    try await scene.expectRecovery(&finding, to: expected)
                    return finding
                }
            },
        ]

    // MARK: - Private

    /// Exit code 6, and one sentence.
    private static func trouble(_ scene: Scene, _ run: MirrorEnding) async throws -> Finding {
        var finding = Finding()
        finding.note("exit \(run.status): \(run.lastWords.prefix(110))")
        finding.expect(run.ending, status: 6)
        let errors = run.ending.errors.split(separator: "\n").filter { $0.contains("error") }
        finding.expect(errors.count == 1, "\(errors.count) lines of errors: \(run.ending.errors.suffix(400))")
        try await scene.audit(&finding)
        return finding
    }

    private static func limited(_ what: String, _ script: String, _ pace: Pace = .ordinary) -> FaultCase {
        FaultCase(.cache, what, pace) { bench in
            try await bench.withScene { scene in
                let expected = try await scene.undisturbed()
                var finding = try await trouble(scene, try await scene.mirror(by: script))
                try await scene.expectRecovery(&finding, to: expected)
                return finding
            }
        }
    }

    private static func withMount(_ arguments: [String], at path: String, _ body: () async throws -> Finding) async throws -> Finding {
        guard geteuid() == 0 else { throw Skipped("mounting needs root") }
        mkdir(path, 0o755)
        let words = arguments.map { "'\($0)'" }.joined(separator: " ")
        do { try await ProgramRun.shell("mount \(words) \"$1\"", path) } catch { throw Skipped("mounting is not allowed here") }
        do {
            let finding = try await body()
            try await ProgramRun.shell("umount -l \"$1\"", path)
            return finding
        } catch {
            _ = try? await ProgramRun.shell("umount -l \"$1\"", path)
            throw error
        }
    }
}
