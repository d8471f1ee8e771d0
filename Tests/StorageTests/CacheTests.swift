import Core
import FoundationEssentials
import Glibc
import Storage
import TestSupport
import Testing

@Suite("The cache keeps what it is given")
struct CacheTests {
    @Test("What was added and flushed is there, in this opening and the next, and its bytes too")
    func addAndRead() async throws {
        try await withTemporaryDirectory { directory in
            let root = directory + "/new/cache"
            let added = try await withCache(root) { cache in
                let added = try await cache.add(source(1, recipes: ["a", "b"]))
                try await cache.flush()
                let known = try await cache.sources(of: [added.url, "https://img.example/none.jpg"])
                #expect(known == [added.url: added])
                return added
            }
            try await withCache(root) { cache in
                let known = try await cache.sources(of: [added.url])
                #expect(known == [added.url: added])
                #expect(try await cache.read(added.picture) == picture(1).bytes)
                #expect(added.picture.path == "objects/\(added.picture.digest.hex.prefix(2))/\(added.picture.digest.hex).jpg")
            }
            try await expectSound(root)
        }
    }

    @Test("What was added is durable when the cache is closed, also when the body throws")
    func closing() async throws {
        struct Stop: Error {}
        try await withTemporaryDirectory { root in
            await #expect(throws: Stop.self) {
                try await withCache(root) { cache in
                    _ = try await cache.add(source(1))
                    throw Stop()
                }
            }
            try await withCache(root) { cache in
                let known = try await cache.sources(of: [source(1).url])
                #expect(known.count == 1)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: root + "/tmp").isEmpty)
        }
    }

    @Test("Objects are read-only files, and an object that is there is not written again")
    func immutableObjects() async throws {
        try await withTemporaryDirectory { root in
            try await withCache(root) { cache in
                let added = try await cache.add(source(1))
                try await cache.flush()
                let path = "\(root)/\(added.picture.path)"
                let before = try status(path)
                #expect(before.st_mode & 0o777 == 0o444)
                _ = try await cache.add(source(2, seed: 1))
                try await cache.flush()
                #expect(try status(path).st_ino == before.st_ino)
            }
        }
    }

    @Test("An object that has lost bytes is replaced by a whole one when it is added again")
    func damagedSize() async throws {
        try await withTemporaryDirectory { root in
            try await withCache(root) { cache in
                let added = try await cache.add(source(1))
                try await cache.flush()
                #expect(truncate("\(root)/\(added.picture.path)", 10) == 0)
                #expect(try await cache.sources(of: [added.url]).isEmpty)
                _ = try await cache.add(source(1))
                try await cache.flush()
                #expect(try await cache.sources(of: [added.url]) == [added.url: added])
            }
            try await expectSound(root)
        }
    }

    @Test("A source or rendition whose object is gone is left out")
    func lostObjects() async throws {
        try await withTemporaryDirectory { root in
            try await withCache(root) { cache in
                let added = try await cache.add(source(1, recipes: ["a", "b"]))
                try await cache.flush()
                unlink("\(root)/\(added.renditions["a"]!.path)")
                let known = try await cache.sources(of: [added.url])
                #expect(known[added.url].map { Array($0.renditions.keys) } == ["b"])
                unlink("\(root)/\(added.picture.path)")
                #expect(try await cache.sources(of: [added.url]).isEmpty)
                await #expect { try await cache.read(added.picture) } throws: { ($0 as? CacheError)?.code == .notFound }
            }
        }
    }

    @Test("Renditions are added to those that a picture has, and come back with the picture")
    func renditionsStay() async throws {
        try await withTemporaryDirectory { root in
            try await withCache(root) { cache in
                let first = try await cache.add(source(1, recipes: ["a"]))
                try await cache.flush()
                var more = source(1, recipes: ["b"])
                more.original = .stored(first.picture)
                more.colour = nil
                _ = try await cache.add(more)
                try await cache.flush()
                let both = try await cache.sources(of: [first.url])[first.url]
                #expect(both?.renditions.keys.sorted() == ["a", "b"])
                #expect(both?.colour == "#102030")

                _ = try await cache.add(source(1, seed: 77, recipes: []))
                try await cache.flush()
                #expect(try await cache.sources(of: [first.url])[first.url]?.renditions.isEmpty == true)
                #expect(try await cache.picture(first.picture.digest)?.renditions.keys.sorted() == ["a", "b"])
                _ = try await cache.add(source(1, recipes: []))
                try await cache.flush()
                #expect(try await cache.sources(of: [first.url])[first.url] == both)
            }
        }
    }

    @Test("A 304 changes freshness and keeps the validators; a failure is remembered until the next success")
    func refreshAndFailures() async throws {
        try await withTemporaryDirectory { root in
            try await withCache(root) { cache in
                let added = try await cache.add(source(1))
                let failure = FailureRecord(url: added.url, reason: .status(404), detail: "gone", at: noon)
                try await cache.recordFailure(failure)
                try await cache.flush()
                #expect(try await cache.failures(of: [added.url, "x"]) == [added.url: failure])
                try await cache.refreshed(url: added.url, etag: nil, lastModified: "l", fetchedAt: noon + 5, freshUntil: noon + 9)
                try await cache.flush()
                let now = try await cache.sources(of: [added.url])[added.url]
                #expect(now?.etag == added.etag && now?.lastModified == "l" && now?.freshUntil == noon + 9)
                #expect(try await cache.failures(of: [added.url]).isEmpty)
            }
        }
    }

    @Test("The last answer of the API is kept, byte for byte")
    func answers() async throws {
        try await withTemporaryDirectory { root in
            try await withCache(root) { cache in
                try await cache.keep(StoredAnswer(url: "u", body: [0, 1], fetchedAt: noon))
                try await cache.keep(StoredAnswer(url: "u", body: [0, 255, 0], fetchedAt: noon + 1))
                try await cache.keep(StoredAnswer(url: "empty", body: [], fetchedAt: noon))
                try await cache.flush()
                #expect(try await cache.answer(for: "u") == StoredAnswer(url: "u", body: [0, 255, 0], fetchedAt: noon + 1))
                #expect(try await cache.answer(for: "empty")?.body == [])
                #expect(try await cache.answer(for: "v") == nil)
            }
        }
    }

    @Test("Runs are kept under free names, listed from the oldest, and a missing one names those that there are")
    func runs() async throws {
        try await withTemporaryDirectory { root in
            try await withCache(root) { cache in
                let second = try await cache.saveRun(named: "20261207T000000Z-a", json: Array("{}".utf8))
                let first = try await cache.saveRun(named: "20261130T000000Z-a", json: Array("{1}".utf8))
                let again = try await cache.saveRun(named: "20261130T000000Z-a", json: Array("{2}".utf8))
                #expect(
                    [second, first, again] == [
                        "runs/20261207T000000Z-a.json", "runs/20261130T000000Z-a.json", "runs/20261130T000000Z-a-2.json",
                    ])
                #expect(try await cache.runNames() == ["20261130T000000Z-a", "20261130T000000Z-a-2", "20261207T000000Z-a"])
                #expect(try await cache.readRun(named: "20261130T000000Z-a") == Array("{1}".utf8))
                await #expect { try await cache.readRun(named: "20261207") } throws: { error in
                    (error as? CacheError)?.code == .notFound && "\(error)".contains("20261207T000000Z-a")
                }
                await #expect(throws: CacheError.self) { try await cache.readRun(named: "../posterity") }
                await #expect(throws: CacheError.self) { try await cache.saveRun(named: "a/b", json: []) }
            }
        }
    }

    private func status(_ path: String) throws -> stat {
        var result = stat()
        guard stat(path, &result) == 0 else { throw TestSupportError("stat \(path)") }
        return result
    }

    @Test("Several may begin one cache at the same moment")
    func beginnings() async throws {
        try await withTemporaryDirectory { directory in
            for round in 0..<40 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<6 {
                        group.addTask {
                            try await Cache.withCache(
                                at: "\(directory)/\(round)", access: .readWrite, clock: .system, log: .silent
                            ) { _ in }
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }
}
