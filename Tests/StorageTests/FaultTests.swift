import Core
import FoundationEssentials
import Glibc
import Storage
import TestSupport
import Testing

@Suite("Trouble with the directory is one clear error, and never half a state", .serialized)
struct FaultTests {
    @Test("A cache of a newer version is refused, and nothing in it is touched")
    func newerVersion() async throws {
        try await withTemporaryDirectory { root in
            let text = #"{"format": "posterity-cache", "version": 2}"#
            try Data(text.utf8).write(to: URL(filePath: root + "/posterity.json"))
            for access in [Cache.Access.readWrite, .readOnly] {
                let error = await cacheError { try await withCache(root, access) { _ in } }
                #expect(error?.code == .newerVersion)
                #expect(error?.description.contains("its format version is 2, and this program knows 1; use the newer version") == true)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: root) == ["posterity.json"])
        }
    }

    @Test("An index of a newer version is refused")
    func newerIndex() async throws {
        try await withTemporaryDirectory { root in
            try await withCache(root) { _ = try await $0.add(source(1)) }
            try await Tool.run("sqlite3", [root + "/index.sqlite", "PRAGMA user_version = 99"])
            for access in [Cache.Access.readWrite, .readOnly] {
                let error = await cacheError { try await withCache(root, access) { _ = try await $0.sources(of: ["u"]) } }
                #expect(error?.code == .newerVersion)
            }
        }
    }

    @Test("A directory with something else in it is not made a cache")
    func notACache() async throws {
        try await withTemporaryDirectory { root in
            try Data().write(to: URL(filePath: root + "/letter.txt"))
            let error = await cacheError { try await withCache(root) { _ in } }
            #expect(error?.code == .notACache && error?.description.contains("letter.txt") == true)
            #expect(try FileManager.default.contentsOfDirectory(atPath: root) == ["letter.txt"])
            let reading = await cacheError { try await withCache(root, .readOnly) { _ in } }
            #expect(reading?.code == .notACache)
            let missing = await cacheError { try await withCache(root + "/none", .readOnly) { _ in } }
            #expect(missing?.code == .notFound)
        }
    }

    @Test("A damaged index is said to be damaged, with the command that rebuilds it", arguments: ["garbage", "cut"])
    func damagedIndex(kind: String) async throws {
        try await withTemporaryDirectory { root in
            let record = try await withCache(root) { cache async throws in
                for number in 2...200 { _ = try await cache.add(source(number)) }
                return try await cache.add(source(1))
            }
            let path = root + "/index.sqlite"
            if kind == "garbage" {
                try Data(repeating: 7, count: 20_000).write(to: URL(filePath: path))
            } else {
                #expect(truncate(path, 9_000) == 0)
            }
            let error = await cacheError {
                try await withCache(root) { _ = try await $0.sources(of: (1...200).map { source($0).url }) }
            }
            #expect(error?.code == .damaged, "\(String(describing: error))")
            #expect(error?.description.contains("posterity verify --rebuild-index") == true)
            try await withCache(root) { cache async throws in
                let report = try await cache.rebuildIndex(from: [record])
                #expect(report.sources == 1 && report.renditions == 1 && report.missing == 0)
                #expect(try await cache.sources(of: [record.url]) == [record.url: record])
            }
            try await expectSound(root)
        }
    }

    @Test("An index that was begun and has no tables yet is empty to a reader, and made by the next writer")
    func begunIndex() async throws {
        try await withTemporaryDirectory { root in
            try await withCache(root) { _ in }
            try await Tool.run("sqlite3", [root + "/index.sqlite", "PRAGMA journal_mode = WAL; VACUUM"])
            try await withCache(root, .readOnly) { cache async throws in
                #expect(try await cache.sources(of: [source(1).url]).isEmpty)
            }
            try await withCache(root) { _ = try await $0.add(source(1)) }
            try await expectSound(root)
        }
    }

    @Test("A full disk ends in one error; what was stored stays, and there is a way on when there is room", .needsMount)
    func fullDisk() async throws {
        try await withMount(["-t", "tmpfs", "-o", "size=3m", "tmpfs"]) { mount in
            let root = mount + "/cache"
            let (lines, status) = try await Worker.run("fill", root, "0", "1000", "20000", "10")
            #expect(status == 6 && lines.last?.contains("no space left on device") == true, "\(lines.suffix(2))")
            #expect(lines.last?.contains("make room or run `posterity prune`") == true)
            let durable = lines.last { $0.hasPrefix("flushed") }.flatMap { Int($0.dropFirst(8)) } ?? 0
            #expect(durable > 0)
            try await expectSound(root)
            try await Tool.run("mount", ["-o", "remount,size=60m", mount])
            try await withCache(root) { cache async throws in
                #expect(try await cache.sources(of: (0..<durable).map { "https://img.example/\($0).jpg" }).count == durable)
            }
            #expect(try await Worker.run("fill", root, "0", "1000", "20000", "10").status == 0)
            try await expectSound(root)
        }
    }

    @Test(
        "A file-size limit ends in one error, whichever file meets it",
        .enabled(if: dlsym(nil, "__tsan_init") == nil, "the thread sanitizer cannot run under a file-size limit"),
        arguments: [(8, 20_000), (200, 300)])
    func fileSizeLimit(kilobytes: Int, pictureBytes: Int) async throws {
        try await withTemporaryDirectory { root in
            let limited = ["bash", "-c", "ulimit -f \(kilobytes); exec \"$0\" \"$@\""]
            let (lines, status) = try await Worker.run("fill", root, "0", "3000", "\(pictureBytes)", "10", prefix: limited)
            #expect(status == 6 && lines.last?.contains("make room") == true, "\(lines.suffix(2))")
            #expect(lines.last?.contains("file too large") == true || lines.last?.contains("ulimit -f") == true)
            try await expectSound(root)
            #expect(try await Worker.run("fill", root, "0", "30", "\(pictureBytes)", "10").status == 0)
            try await expectSound(root)
        }
    }

    // Below 8, libdispatch has none left for the first look at its own threads, and traps, whatever the cache does.
    @Test("Too few file descriptors end in one error that names the limit", arguments: [8, 9, 10, 12, 14, 16, 18, 20])
    func descriptors(limit: Int) async throws {
        try await withTemporaryDirectory { root in
            let limited = ["bash", "-c", "ulimit -n \(limit); exec \"$0\" \"$@\""]
            let (lines, status) = try await Worker.run("fill", root, "0", "30", "3000", "10", prefix: limited)
            #expect(status == 0 || status == 6 && lines.last?.contains("ulimit -n") == true, "\(status): \(lines)")
            try await expectSound(root)
        }
    }

    @Test("tmp on another file system is refused in plain words", .needsMount)
    func otherDevice() async throws {
        try await withTemporaryDirectory { root in
            try await withCache(root) { _ in }
            try await withMount(["-t", "tmpfs", "tmpfs"], at: root + "/tmp") { _ in
                let error = await cacheError { try await withCache(root) { _ = try await $0.add(source(1)) } }
                #expect(error?.code == .otherDevice && error?.description.contains("one file system") == true)
            }
        }
    }

    @Test(
        "On a read-only file system reading works, whether the cache was closed or its process killed, and writing is refused", .needsMount)
    func readOnlyFileSystem() async throws {
        try await withTemporaryDirectory { directory in
            let root = directory + "/cache"
            let view = directory + "/view"
            try FileManager.default.createDirectory(atPath: view, withIntermediateDirectories: false)
            let first = try await withCache(root) { try await $0.add(source(1)) }
            try await withReadOnlyView(of: root, at: view) {
                try await withCache(view, .readOnly) { cache async throws in
                    #expect(try await cache.sources(of: [first.url]) == [first.url: first])
                    #expect(try await cache.read(first.picture) == picture(1).bytes)
                    #expect(try await cache.verify(needed: []).isSound)
                    let adding = await cacheError { _ = try await cache.add(source(2)) }
                    #expect(adding?.code == .notWritable)
                }
                let error = await cacheError { try await withCache(view) { _ in } }
                #expect(error?.code == .notWritable, "\(String(describing: error))")
            }
            try await Worker.withWorker("fill", root, "0", "100000", "2000", "3") { worker async throws in
                #expect(try await worker.nextLine() == "flushed 3")
                worker.kill()
                _ = try await worker.finish()
            }
            #expect(access(root + "/index.sqlite-wal", F_OK) == 0)
            try await withReadOnlyView(of: root, at: view) {
                try await withCache(view, .readOnly) { cache async throws in
                    #expect(try await cache.sources(of: (0..<3).map { "https://img.example/\($0).jpg" }).count == 3)
                }
            }
        }
    }

    @Test("Reading makes no file, and sees what a process that is writing has flushed")
    func readingLeavesNoTrace() async throws {
        try await withTemporaryDirectory { root in
            try await withCache(root) { cache async throws in
                let record = try await cache.add(source(1))
                try await cache.flush()
                let before = try await listing(root)
                try await withCache(root, .readOnly) { reader async throws in
                    #expect(try await reader.sources(of: [record.url]) == [record.url: record])
                }
                #expect(try await listing(root) == before)
            }
            let before = try await listing(root)
            #expect(!before.contains("index.sqlite-wal"))
            try await withCache(root, .readOnly) { cache async throws in
                let found = try await cache.sources(of: [source(1).url]).count == 1
                #expect(found)
            }
            #expect(try await listing(root) == before)
        }
    }

    @Test("A cache that is removed while in use is an error, also when another one has taken its place", arguments: [false, true])
    func removedWhileInUse(isReplaced: Bool) async throws {
        try await withTemporaryDirectory { directory in
            let root = directory + "/cache"
            let error = await cacheError {
                try await withCache(root) { cache async throws in
                    _ = try await cache.add(source(1))
                    try await cache.flush()
                    try FileManager.default.removeItem(atPath: root)
                    if isReplaced { try await withCache(root) { _ = try await $0.add(source(9)) } }
                    _ = try await cache.add(source(2))
                    try await cache.flush()
                }
            }
            #expect(error?.code == .notFound, "\(String(describing: error))")
            if isReplaced {
                try await withCache(root, .readOnly) { cache async throws in
                    let found = try await cache.sources(of: [source(2).url]).isEmpty
                    #expect(found)
                }
                try await expectSound(root)
            }
        }
    }

    @Test("A group that failed is reported by the next add and flush, and the one after the flush goes well")
    func failedGroup() async throws {
        try await withTemporaryDirectory { root in
            try await withCache(root) { cache async throws in
                // A file where the object's directory should be: the group can be staged, and not be committed.
                let ab = String(picture(3).digest.prefix(2))
                try Data().write(to: URL(filePath: "\(root)/objects/\(ab)"))
                _ = try await cache.add(source(3))
                let failure = await cacheError { try await cache.flush() }
                #expect(failure != nil)
                unlink("\(root)/objects/\(ab)")
                let again = try await cache.add(source(3))
                try await cache.flush()
                #expect(try await cache.sources(of: [again.url]).count == 1)
            }
            try await expectSound(root)
        }
    }

    // MARK: - Private

    private func cacheError(_ body: () async throws -> Void) async -> CacheError? {
        do { try await body() } catch { return error as? CacheError }
        return nil
    }

    private func listing(_ root: String) async throws -> String {
        String(decoding: try await Tool.run("find", [root]), as: UTF8.self)
    }

    private func withMount(_ arguments: [String], _ body: (String) async throws -> Void) async throws {
        try await withTemporaryDirectory { try await withMount(arguments, at: $0, body) }
    }

    private func withMount(_ arguments: [String], at path: String, _ body: (String) async throws -> Void) async throws {
        try await Tool.run("mount", arguments + [path])
        do { try await body(path) } catch {
            _ = try await Tool.outcome(of: "umount", ["-l", path])
            throw error
        }
        try await Tool.run("umount", ["-l", path])
    }

    private func withReadOnlyView(of root: String, at path: String, _ body: () async throws -> Void) async throws {
        try await withMount(["--bind", root], at: path) { _ in
            try await Tool.run("mount", ["-o", "remount,ro,bind", path])
            try await body()
        }
    }
}

extension Trait where Self == ConditionTrait {
    fileprivate static var needsMount: Self {
        .enabled("needs root, and leave to mount") {
            try await withTemporaryDirectory { directory in
                guard try await Tool.outcome(of: "mount", ["-t", "tmpfs", "tmpfs", directory]).status == 0 else { return false }
                return try await Tool.outcome(of: "umount", ["-l", directory]).status == 0
            }
        }
    }
}

extension NewPicture {
    fileprivate var digest: String { Digest(of: bytes).hex }
}
