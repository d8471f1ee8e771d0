import Core
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import Storage

@Suite("Care of the cache")
struct CareTests {
    @Test("An index that is gone, or emptied, beside runs is warned of", arguments: [true, false])
    func lostIndex(isEmptied: Bool) async throws {
        try await withTemporaryDirectory { root in
            try await withCache(root) { cache async throws in
                _ = try await cache.add(source(1))
                _ = try await cache.saveRun(named: "20261130T000000Z-a", json: Array("{}".utf8))
            }
            let index = root + "/index.sqlite"
            if isEmptied { #expect(truncate(index, 0) == 0) } else { unlink(index) }
            let log = LogBook()
            try await withCache(root, log: log.log) { (cache) async throws in _ = try await cache.sources(of: ["x"]) }
            #expect(log.lines(.warning).count { $0.contains("--rebuild-index") } == 1)
        }
    }

    @Test("Verify finds what is missing, damaged, misnamed or orphaned, and repair sets it right")
    func verifyAndRepair() async throws {
        try await withTemporaryDirectory { root in
            try await withCache(root) { cache async throws in
                var records: [SourceRecord] = []
                for number in 1...20 { records.append(try await cache.add(source(number))) }
                let looked = Mutex(0)
                let sound = try await cache.verify(needed: []) { count, _ in looked.withLock { $0 = max($0, count) } }
                #expect(sound.objects == 40 && sound.findings.isEmpty && looked.withLock { $0 } == 40)

                let missing = records[0].picture.path
                let damaged = records[1].picture.path
                let renditionDamaged = records[2].renditions.values.first!.path
                unlink("\(root)/\(missing)")
                for path in [damaged, renditionDamaged] {
                    // The same size, one byte different.
                    var bytes = [UInt8](try Data(contentsOf: URL(filePath: "\(root)/\(path)")))
                    bytes[100] ^= 1
                    unlink("\(root)/\(path)")
                    try Data(bytes).write(to: URL(filePath: "\(root)/\(path)"))
                }
                try Data("x".utf8).write(to: URL(filePath: root + "/objects/stray"))
                let orphan = picture(999)
                let hex = Digest(of: orphan.bytes).hex
                try FileManager.default.createDirectory(atPath: "\(root)/objects/\(hex.prefix(2))", withIntermediateDirectories: true)
                try Data(orphan.bytes).write(to: URL(filePath: "\(root)/objects/\(hex.prefix(2))/\(hex).jpg"))

                let report = try await cache.verify(needed: [])
                #expect(
                    Set(report.findings.map { "\($0.kind) \($0.path)" }) == [
                        "missing \(missing)", "damaged \(damaged)", "damaged \(renditionDamaged)", "misnamed objects/stray",
                        "orphaned objects/\(hex.prefix(2))/\(hex).jpg",
                    ])
                #expect(!report.isSound)
                #expect(try await cache.repair(report).count == 3)
                let after = try await cache.verify(needed: [])
                #expect(after.isSound && after.findings.allSatisfy { $0.kind == .orphaned })
                let known = try await cache.sources(of: records.map(\.url))
                #expect(known.count == 18 && known[records[2].url]?.renditions.isEmpty == true)
            }
            try await expectSound(root)
        }
    }

    @Test("Prune keeps what it is told to, fresh sources and their renditions; a dry run says the same and removes nothing")
    func prune() async throws {
        try await withTemporaryDirectory { root in
            try await withCache(root) { cache async throws in
                let fresh = try await cache.add(source(1))
                var old = source(2)
                (old.fetchedAt, old.freshUntil) = (noon - 90 * 86_400, noon - 60 * 86_400)
                let kept = try await cache.add(old)
                old.url = "https://img.example/3.jpg"
                old.original = .new(picture(3))
                old.renditions = []
                let unneeded = try await cache.add(old)
                let keeping: Set = [kept.picture.digest]
                let dry = try await cache.prune(keeping: keeping, dryRun: true)
                #expect(dry.removed == [unneeded.picture.path, kept.renditions.values.first!.path].sorted())
                #expect(dry.removedBytes == ByteCount(3_000) && dry.keptObjects == 3)
                #expect(try await cache.statistics().all.objects == 5)
                #expect(try await cache.prune(keeping: keeping, dryRun: false) == dry)
                let known = try await cache.sources(of: [fresh, kept, unneeded].map(\.url))
                #expect(
                    known == [
                        fresh.url: fresh,
                        kept.url: {
                            var k = kept; k.renditions = [:]; return k
                        }(),
                    ])
            }
            try await expectSound(root)
        }
    }

    @Test("Prune by size removes the oldest first, and stops when all fits; by age it spares what is younger")
    func pruneBySize() async throws {
        try await withTemporaryDirectory { root in
            try await withCache(root) { cache async throws in
                var paths: [String] = []
                for number in 1...4 {
                    var old = source(number, recipes: [])
                    (old.fetchedAt, old.freshUntil) = (noon - 90 * 86_400, noon - 60 * 86_400)
                    paths.append(try await cache.add(old).picture.path)
                    try await cache.flush()
                    var times = [timespec(tv_sec: 1_000 * number, tv_nsec: 0), timespec(tv_sec: 1_000 * number, tv_nsec: 0)]
                    #expect(utimensat(AT_FDCWD, "\(root)/\(paths[number - 1])", &times, 0) == 0)
                }
                let bySize = try await cache.prune(keeping: [], maximumBytes: ByteCount(4_500), dryRun: true)
                #expect(bySize.removed == paths[0...1].sorted())
                let byAge = try await cache.prune(keeping: [], olderThan: Date(timeIntervalSince1970: 1_500), dryRun: false)
                #expect(byAge.removed == [paths[0]])
            }
        }
    }

    @Test("While another process has the cache open, prune keeps every source")
    func pruneBeside() async throws {
        try await withTemporaryDirectory { root in
            _ = try await Worker.run("fill", root, "0", "5", "3000", "0")
            try await Worker.withWorker("lock", root, "a") { other async throws in
                #expect(try await other.nextLine() == "held")
                try await withCache(root) { cache async throws in
                    #expect(try await cache.prune(keeping: [], dryRun: false).removed.isEmpty)
                    #expect(try await other.finish().status == 0)
                    #expect(try await cache.prune(keeping: [], dryRun: false).removed.count == 10)
                }
            }
            try await expectSound(root)
        }
    }

    @Test("A process that bears it when objects go holds prune back by nothing, but what it has just added stays")
    func pruneBesideOneThatBearsIt() async throws {
        try await withTemporaryDirectory { root in
            var old = source(1, recipes: [])
            (old.fetchedAt, old.freshUntil) = (noon - 90 * 86_400, noon - 60 * 86_400)
            let stale = old
            try await withCache(root, .readWriteBearingRemoval) { other async throws in
                let removed = try await other.add(stale).picture
                let kept = try await other.add(source(2, recipes: [])).picture
                try await other.flush()
                let report = try await withCache(root) { try await $0.prune(keeping: [], dryRun: false) }
                #expect(report.removed == [removed.path])
                #expect(try await other.read(kept).count == kept.byteCount)
                await #expect(throws: CacheError.self) { try await other.read(removed) }
                #expect(try await other.sources(of: [stale.url]).isEmpty)
                // It is one that has the cache open all the same.
                await #expect(throws: CacheError.self) { try await withCache(root) { try await $0.rebuildIndex(from: []) } }
            }
            try await expectSound(root)
        }
    }

    @Test("Responses are kept by URL over a restart; the oldest go when there are more than there may be, or too old")
    func responses() async throws {
        try await withTemporaryDirectory { root in
            func response(_ number: Int, bytes: Int = 100, age: TimeInterval = 0) -> StoredResponse {
                StoredResponse(
                    url: "https://api.example/3/\(number)", status: 200, mediaType: number == 1 ? nil : "application/json",
                    body: Array(repeating: UInt8(number), count: bytes), fetchedAt: noon - age + Double(number), freshUntil: noon + 60)
            }
            try await withCache(root) { cache in for number in 1...10 { try cache.keep(response(number)) } }
            try await withCache(root) { cache async throws in
                #expect(try await cache.response(for: response(1).url) == response(1))
                try cache.keep(response(1, bytes: 7))
                try await cache.flush()
                #expect(try await cache.response(for: response(1).url) == response(1, bytes: 7))
                try cache.trimResponses(to: ResponseBounds(count: 5, bytes: ByteCount(1_000_000)))
                try await cache.flush()
                #expect(try await cache.responseAmount() == CacheStatistics.Amount(objects: 5, bytes: ByteCount(500)))
                #expect(try await cache.response(for: response(5).url) == nil)
                try cache.trimResponses(to: ResponseBounds(count: 5, bytes: ByteCount(250)))
                try await cache.flush()
                #expect(try await cache.responseAmount().objects == 2)
                try cache.keep(response(20, age: 40 * 86_400))
                try await cache.flush()
                _ = try await cache.prune(keeping: [], dryRun: false)
                #expect(try await cache.responseAmount().objects == 2, "prune drops what is older than a month")
            }
        }
    }

    @Test("While it is decided by the absence of others what may go, no other can open the cache")
    func noNewcomers() async throws {
        try await withTemporaryDirectory { directory in
            let root = directory + "/cache"
            try await Cache.withCache(at: root, access: .readWrite, clock: .system, log: .silent) { cache in
                let session = try #require(cache.session)
                let door = open(root + "/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
                defer { close(door) }
                let isOpenWithin = try session.withNoNewcomers { _ in flock(door, LOCK_EX | LOCK_NB) == 0 }
                #expect(!isOpenWithin)
                #expect(flock(door, LOCK_EX | LOCK_NB) == 0, "and afterwards anyone can")
            }
        }
    }

    @Test("Prune spares an object that nothing named, once someone has begun to count on it")
    func pruneRace() async throws {
        try await withTemporaryDirectory { root in
            try await withCache(root) { _ = try await $0.add(source(1)) }
            // Objects without an index, as a killed run leaves them.
            unlink(root + "/index.sqlite")
            try await withCache(root) { cache async throws in
                // Not written again, for the bytes are there, and not in the index for as long as the group waits.
                let added = try await cache.add(source(1))
                let report = try await withCache(root) { other in try await other.prune(keeping: [], dryRun: false) }
                #expect(report.removed.isEmpty)
                try await cache.flush()
                #expect(try await cache.sources(of: [added.url]) == [added.url: added])
            }
            try await expectSound(root)
        }
    }

    @Test("An index rebuilt from records is the one that was lost; it is not rebuilt under another process")
    func rebuild() async throws {
        try await withTemporaryDirectory { root in
            var records: [SourceRecord] = []
            try await withCache(root) { cache async throws in
                for number in 1...30 { records.append(try await cache.add(source(number))) }
            }
            unlink(root + "/index.sqlite")
            unlink("\(root)/\(records[0].picture.path)")
            try await withCache(root) { cache async throws in
                let report = try await cache.rebuildIndex(from: records)
                #expect(report.sources == 29 && report.renditions == 29 && report.missing == 1)
                let known = try await cache.sources(of: records.map(\.url))
                #expect(known == Dictionary(uniqueKeysWithValues: records.dropFirst().map { ($0.url, $0) }))
                _ = try await cache.add(source(31))
                try await cache.flush()
                try await Worker.withWorker("lock", root, "a") { other async throws in
                    #expect(try await other.nextLine() == "held")
                    await #expect { try await cache.rebuildIndex(from: records) } throws: { ($0 as? CacheError)?.code == .busy }
                }
            }
            try await expectSound(root)
        }
    }

    @Test("Pins are files: they outlive the index, name only runs that there are, and keep a run from being removed")
    func pins() async throws {
        try await withTemporaryDirectory { root in
            try await withCache(root) { cache async throws in
                _ = try await cache.saveRun(named: "a", json: Array("{}".utf8))
                try await cache.setPinned(true, run: "a")
                await #expect(throws: CacheError.self) { try await cache.setPinned(true, run: "b") }
                await #expect(throws: CacheError.self) { try await cache.removeRun(named: "a") }
            }
            unlink(root + "/index.sqlite")
            try await withCache(root) { cache async throws in
                #expect(try await cache.pinnedRuns() == ["a"])
                try await cache.setPinned(false, run: "a")
                try await cache.removeRun(named: "a")
                #expect(try await cache.runNames().isEmpty)
            }
        }
    }

    @Test("Requests are paced over a sliding minute, over processes, and a clock set back holds no one up for longer")
    func pacing() async throws {
        try await withTemporaryDirectory { root async throws in
            func reserve(at seconds: Double) async throws -> Duration? {
                try await Cache.withCache(at: root, access: .readWrite, clock: .stopped(at: noon + seconds), log: .silent) {
                    try await $0.reserveRequest(account: "api.example", perMinute: 2)
                }
            }
            #expect(try await reserve(at: 0) == nil)
            #expect(try await reserve(at: 10) == nil)
            #expect(try await reserve(at: 11) == .seconds(51))
            #expect(try await reserve(at: 61.999) == .milliseconds(1))
            #expect(try await reserve(at: 62) == nil)
            #expect(try await reserve(at: 63) == .seconds(9))
            #expect(try await reserve(at: -86_400) == .seconds(62))
        }
    }

    @Test("Statistics count by kind")
    func statistics() async throws {
        try await withTemporaryDirectory { root in
            try await withCache(root) { cache async throws in
                _ = try await cache.add(source(1, recipes: ["a", "b"]))
                _ = try await cache.add(source(2, seed: 1, recipes: []))
                _ = try await cache.saveRun(named: "r", json: Array("{}".utf8))
                let statistics = try await cache.statistics()
                #expect(statistics.all == .init(objects: 3, bytes: ByteCount(4_000)))
                #expect(statistics.originals == .init(objects: 1, bytes: ByteCount(2_000)) && statistics.renditions.objects == 2)
                #expect(statistics.byExtension["webp"]?.objects == 2 && statistics.urls == 2 && statistics.runs == 1)
            }
        }
    }
}
