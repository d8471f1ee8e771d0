import Core
import FoundationEssentials
import Glibc
import Mirroring
import StandIn
import TestSupport
import Testing

extension EndToEnd {
    @Suite("Stopping, and running beside another")
    struct StopTests {
        @Test("A signal ends a run soon; it says what is left, and the next run goes on to the same end", arguments: [SIGINT, SIGTERM])
        func stopped(by signal: Int32) async throws {
            try await Scene.with(titles: 20) { scene in
                #expect(try await scene.posterity("mirror", "--cache", scene.home + "/undisturbed").status == 0)
                scene.standIn.reset()
                try scene.standIn.addFaults("images delay=150")
                let ending = try await scene.beside("mirror", "--concurrency", "4") { program in
                    try await scene.wait { scene.count(of: "images") >= 16 }
                    let asked = ContinuousClock.now
                    program.signal(signal)
                    let ending = try await program.ending()
                    // A second on an idle machine; this one may be busy with other things.
                    #expect(ContinuousClock.now - asked < .seconds(10))
                    return ending
                }
                #expect(ending.status == 128 + signal)
                #expect(ending.errors.contains("of 60 pictures are done and kept"), "\(ending.errors)")
                #expect(ending.output == "")
                let cache = CacheInspection(root: scene.cache)
                try await cache.expectSound()
                let kept = cache.objects
                #expect(!kept.isEmpty)

                scene.standIn.reset()
                let next = try await scene.posterity("mirror", "--json")
                #expect(next.status == 0)
                let summary = try RunReport(next).summary
                #expect(summary.fresh > 0)
                #expect(summary.fresh + summary.fetched == 60)
                #expect(cache.objects == CacheInspection(root: scene.home + "/undisturbed").objects)
            }
        }

        @Test("A killed run leaves a sound cache, and the next one completes it")
        func killed() async throws {
            try await Scene.with(titles: 20) { scene in
                try scene.standIn.addFaults("images delay=100")
                try await scene.beside("mirror", "--concurrency", "4") { program in
                    try await scene.wait { scene.count(of: "images") >= 30 }
                    program.signal(SIGKILL)
                    #expect(try await program.ending().status == -SIGKILL)
                }
                let cache = CacheInspection(root: scene.cache)
                try await cache.expectSound()
                scene.standIn.reset()
                #expect(try await scene.posterity("mirror").status == 0)
                try await cache.expectSound()
                try await cache.expectWhole(try await scene.manifest())
                #expect(try FileManager.default.contentsOfDirectory(atPath: scene.cache + "/tmp").isEmpty, "what was in flight is swept")
            }
        }

        @Test("A signal while the list is waited for ends the run too")
        func stoppedBeforeThePlan() async throws {
            try await Scene.with(titles: 2) { scene in
                try scene.standIn.addFaults("api delay=9000")
                try await scene.beside("mirror") { program in
                    try await scene.wait { FileManager.default.fileExists(atPath: scene.cache + "/posterity.json") }
                    program.signal(SIGTERM)
                    let ending = try await program.ending()
                    #expect(ending.status == 128 + SIGTERM)
                    #expect(
                        ending.errorLines.count { $0.contains("interrupted") || $0.contains("stopped before") } == 1, "\(ending.errors)")
                }
            }
        }

        @Test("Two runs at once on one cache both succeed, and leave it sound and whole")
        func twoAtOnce() async throws {
            try await Scene.with(titles: 20) { scene in
                let endings = try await scene.beside("mirror", "movie/popular") { one in
                    try await scene.beside("mirror", "movie/popular") { other in (try await one.ending(), try await other.ending()) }
                }
                #expect((endings.0.status, endings.1.status) == (0, 0), "\(endings.0.errors)\(endings.1.errors)")
                let cache = CacheInspection(root: scene.cache)
                try await cache.expectSound()
                #expect(cache.objects.count == 120)
                #expect(cache.files.count { $0.hasPrefix("runs/") } == 2)
                try await ManifestSchema.expectValid(scene)
                for run in cache.files where run.hasPrefix("runs/") {
                    let json = try Data(contentsOf: URL(filePath: "\(scene.cache)/\(run)"))
                    let manifest = try JSONText.decode(Manifest.self, from: Array(json))
                    #expect(run == "runs/\(manifest.run).json", "a run's name is its file's")
                    #expect(manifest.originals.count == 60)
                    try await cache.expectWhole(manifest)
                }
                let warm = try await scene.posterity("mirror", "movie/popular", "--json")
                #expect(try RunReport(warm).summary.fresh == 60)
            }
        }
    }
}
