import Core
import FoundationEssentials
import Storage
import TestSupport
import Testing

@Suite("Records of runs that grow")
struct RunDraftTests {
    @Test(
        "A record is what was added to it, in order, whether it stayed in memory or not, and leaves nothing else behind",
        arguments: [0, 10, 3_000])
    func growth(pieces: Int) async throws {
        try await withTemporaryDirectory { directory in
            let piece = [UInt8]((0..<1_024).map { UInt8(truncatingIfNeeded: $0) })
            try await Cache.withCache(at: directory + "/cache", access: .readWrite, clock: .system, log: .silent) { cache in
                let draft = try cache.runDraft()
                for number in 0..<pieces { try await cache.append(piece + [UInt8(truncatingIfNeeded: number)], to: draft) }
                let saved = try await cache.saveRun(named: "run", draft) { name in (Array("<\(name)>".utf8), Array("</>".utf8)) }
                #expect(saved == ("run", "runs/run.json"))
                let body = (0..<pieces).flatMap { piece + [UInt8(truncatingIfNeeded: $0)] }
                #expect(try await cache.readRun(named: "run") == Array("<run>".utf8) + body + Array("</>".utf8))
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory + "/cache/tmp") == [])
        }
    }

    @Test("A record whose name is taken gets another, and is told it")
    func takenName() async throws {
        try await withTemporaryDirectory { directory in
            try await Cache.withCache(at: directory + "/cache", access: .readWrite, clock: .system, log: .silent) { cache in
                for expected in ["run", "run-2"] {
                    let saved = try await cache.saveRun(named: "run", cache.runDraft()) { (Array($0.utf8), []) }
                    #expect(saved.name == expected)
                    #expect(try await cache.readRun(named: expected) == Array(expected.utf8))
                }
            }
        }
    }
}
