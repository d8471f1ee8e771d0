import Core
import FoundationEssentials
import Mirroring
import StandIn
import TestSupport
import Testing

extension EndToEnd {
    /// What ends a run: each with one sentence, its own exit code, and without a loss.
    @Suite("What ends a run")
    struct FatalTests {
        /// Runs `mirror` once as it should be and once with something wrong, and holds the second against what it must say.
        private func expectFatal(
            status: Int32, says words: [String], in scene: Scene, changes: [String: String] = [:],
            _ location: SourceLocation = #_sourceLocation, spoil: () throws -> Void = {}
        ) async throws {
            let first = try await scene.posterity("mirror", "--sizes", "w185")
            try #require(first.status == 0, "\(first.errors)", sourceLocation: location)
            let cache = CacheInspection(root: scene.cache)
            let before = cache.objects
            let manifest = try await scene.manifest()
            try spoil()
            let ending = try await scene.posterity("mirror", "--refresh", "--quiet", "--sizes", "w185", changes: changes)
            #expect(ending.status == status, "\(ending.errors)", sourceLocation: location)
            #expect(ending.output == "", sourceLocation: location)
            #expect(ending.errorLines.count == 1, "\(ending.errors)", sourceLocation: location)
            for word in words { #expect(ending.errors.contains(word), "\(ending.errors)", sourceLocation: location) }
            #expect(cache.objects == before, sourceLocation: location)
            try await cache.expectWhole(manifest, location)
            #expect(try await scene.manifest() == manifest, sourceLocation: location)
        }

        @Test("A wrong or suspended key ends with 4, at once", arguments: ["wrong", "posterity-suspended"])
        func wrongKey(key: String) async throws {
            try await Scene.with(titles: 2) { scene in
                try await expectFatal(status: 4, says: ["API key", "401", "AMODB_KEY"], in: scene, changes: ["AMODB_KEY": key])
                #expect(scene.standIn.counts["api 401"] == 1)
            }
        }

        @Test("No key ends with 4 and says how to give one")
        func noKey() async throws {
            try await Scene.with(titles: 2) { scene in
                try await expectFatal(status: 4, says: ["AMODB_KEY", "--key-file"], in: scene, changes: ["AMODB_KEY": ""])
            }
        }

        @Test("A wrong key from a file is advised on by the file's name")
        func wrongKeyFile() async throws {
            try await Scene.with(titles: 1) { scene in
                let file = scene.home + "/key"
                try Data("wrong".utf8).write(to: URL(filePath: file))
                let ending = try await scene.posterity("mirror", "--quiet", "--key-file", file)
                #expect(ending.status == 4)
                #expect(ending.errors.contains("check the key file \(file)") && !ending.errors.contains("AMODB_KEY"), "\(ending.errors)")
            }
        }

        @Test("Too few files or too little memory to begin ends with 1 and one sentence", arguments: ["ulimit -n 8", "ulimit -n 16"])
        func tightLimits(limit: String) async throws {
            try await Scene.with(titles: 1) { scene in
                let ending = try await scene.posterity(under: limit, "mirror")
                #expect(ending.status == 1, "\(ending.errors)")
                #expect(ending.errorLines.count == 1 && ending.errors.contains("ulimit"), "\(ending.errors)")
            }
        }

        @Test("Whatever memory it may have, the program ends with one sentence and no trap", arguments: [200_000, 260_000, 320_000, 400_000])
        func littleMemory(kilobytes: Int) async throws {
            try await Scene.with(titles: 1) { scene in
                let ending = try await scene.posterity(under: "ulimit -v \(kilobytes)", "mirror", "--quiet", "--sizes", "w185")
                #expect(ending.status >= 0, "a signal ended it")
                #expect(ending.errorLines.count == (ending.status == 0 ? 0 : 1), "\(ending.errors.prefix(500))")
                #expect(!ending.errors.contains("Fatal error"))
            }
        }

        @Test("An expired plan ends with 4, at once")
        func expiredPlan() async throws {
            try await Scene.with(titles: 2) { scene in
                try await expectFatal(status: 4, says: ["plan", "402"], in: scene, changes: ["AMODB_KEY": "posterity-expired"])
                #expect(scene.standIn.counts["api 402"] == 1)
            }
        }

        @Test("The rate limit ends with 5 after two more attempts, as Retry-After says", arguments: ["1", "date+1"])
        func rateLimit(retryAfter: String) async throws {
            try await Scene.with(titles: 2) { scene in
                try await expectFatal(status: 5, says: ["too many requests", "429"], in: scene) {
                    try scene.standIn.addFaults("api status=429 retry-after=\(retryAfter)")
                }
                #expect(scene.standIn.counts["api 429"] == 3)
            }
        }

        @Test("A rate limit that passes is waited for")
        func passingRateLimit() async throws {
            try await Scene.with(titles: 2) { scene in
                try scene.standIn.addFaults("api first=2 status=429 retry-after=1")
                #expect(try await scene.posterity("mirror", "--sizes", "w185").status == 0)
                #expect(scene.standIn.counts["api 429"] == 2)
                #expect(scene.standIn.counts["api 200"] == 1)
            }
        }

        @Test("A dead API host ends with 1")
        func deadAPI() async throws {
            try await Scene.with(titles: 2) { scene in
                try await expectFatal(
                    status: 1, says: ["trending/movie/week", "127.0.0.1"], in: scene, changes: ["POSTERITY_API": "http://127.0.0.1:9/3"])
            }
        }

        @Test("An API that fails on its own side ends with 1 and its status")
        func brokenAPI() async throws {
            try await Scene.with(titles: 2) { scene in
                try await expectFatal(status: 1, says: ["500"], in: scene) { try scene.standIn.addFaults("api status=500") }
            }
        }

        @Test(
            "An answer that is no list ends with 1, says what it is, and is not kept",
            arguments: ["body=html", "json=truncated", "json=no-results"])
        func badAnswer(fault: String) async throws {
            try await Scene.with(titles: 2) { scene in
                try await expectFatal(status: 1, says: ["page 1 of trending/movie/week"], in: scene) {
                    try scene.standIn.addFaults("api \(fault)")
                }
                scene.standIn.reset()
                #expect(try await scene.posterity("mirror", "--sizes", "w185").status == 0)
            }
        }

        @Test("A cache of a newer version ends with 6 and is not touched")
        func newerCache() async throws {
            try await Scene.with(titles: 2) { scene in
                #expect(try await scene.posterity("mirror", "--sizes", "w185").status == 0)
                let format = scene.cache + "/posterity.json"
                let text = String(decoding: try Data(contentsOf: URL(filePath: format)), as: UTF8.self)
                let newer = text.replacing("1", with: "99")
                try await Tool.run("/bin/sh", ["-c", "chmod u+w \"$0\"; printf %s \"$1\" > \"$0\"", format, newer])
                let cache = CacheInspection(root: scene.cache)
                let before = try await cache.sha256(of: cache.files)
                for arguments in [["mirror", "--refresh"], ["manifest"], ["mirror", "--dry-run", "--refresh"]] {
                    let ending = try await ProgramUnderTest.run(arguments, environment: scene.environment, in: scene.home)
                    #expect(ending.status == 6, "\(arguments)")
                    #expect(ending.errorLines.count == 1)
                    #expect(ending.errors.contains("newer"))
                }
                #expect(try await cache.sha256(of: cache.files) == before)
            }
        }

        @Test("A directory that holds something else is no cache, and is not touched")
        func otherDirectory() async throws {
            try await Scene.with(titles: 2) { scene in
                let directory = scene.home + "/photos"
                try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
                try Data("x".utf8).write(to: URL(filePath: directory + "/a.jpg"))
                let ending = try await scene.posterity("mirror", "--cache", directory)
                #expect(ending.status == 6)
                #expect(ending.errorLines.count == 1)
                #expect(CacheInspection(root: directory).files == ["a.jpg"])
            }
        }

        @Test("A place where no directory can be ends with 6")
        func impossiblePlace() async throws {
            try await Scene.with(titles: 1) { scene in
                let ending = try await scene.posterity("mirror", "--cache", "/dev/null/cache")
                #expect(ending.status == 6)
                #expect(ending.errorLines.count == 1)
                #expect(ending.errors.contains("/dev/null/cache"))
                #expect(scene.standIn.counts.isEmpty)
            }
        }

        @Test("A file-size limit that is too low ends with 6, and what is there stays sound")
        func fileSizeLimit() async throws {
            try await Scene.with(titles: 8) { scene in
                #expect(try await scene.posterity("mirror", "--top", "2", "--sizes", "w185").status == 0)
                let manifest = try await scene.manifest()
                // In units of 1024 bytes: more than a small poster and the index need, less than a large one has.
                let ending = try await scene.posterity(under: "ulimit -f 48", "mirror", "--sizes", "w185,w500", "--quiet")
                #expect(ending.status == 6, "\(ending.errors)")
                #expect(ending.errorLines.count == 1, "\(ending.errors)")
                try await expectSoundAndWhole(scene, manifest)
                #expect(try await scene.posterity("mirror", "--sizes", "w185,w500").status == 0)
                try await expectSoundAndWhole(scene, try await scene.manifest())
            }
        }

        @Test("A full disk ends with 6, loses nothing, and once there is room the next run completes")
        func fullDisk() async throws {
            try await Scene.with(titles: 12) { scene in
                let mount = scene.home + "/cache"
                try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: true)
                let mounting = try await Tool.outcome(of: "mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", mount])
                guard mounting.status == 0 else { return print("skipped: mounting needs root") }
                let result: Result<Void, any Error>
                do { result = .success(try await fillDisk(of: scene, at: mount)) } catch { result = .failure(error) }
                try await Tool.run("umount", ["-l", mount])
                try result.get()
            }
        }

        private func fillDisk(of scene: Scene, at mount: String) async throws {
            #expect(try await scene.posterity("mirror", "--top", "2", "--sizes", "w185").status == 0)
            let manifest = try await scene.manifest()
            let ending = try await scene.posterity("mirror", "--quiet")
            #expect(ending.status == 6, "\(ending.errors)")
            #expect(ending.errorLines.count == 1, "\(ending.errors)")
            #expect(ending.errors.contains("no space left"))
            try await expectSoundAndWhole(scene, manifest)
            try await Tool.run("mount", ["-o", "remount,size=60m", mount])
            let next = try await scene.posterity("mirror")
            #expect(next.status == 0, "\(next.errors)")
            try await expectSoundAndWhole(scene, try await scene.manifest())
        }

        private func expectSoundAndWhole(_ scene: Scene, _ manifest: Manifest, _ location: SourceLocation = #_sourceLocation) async throws {
            let cache = CacheInspection(root: scene.cache)
            try await cache.expectSound(location)
            try await cache.expectWhole(manifest, location)
        }
    }
}
