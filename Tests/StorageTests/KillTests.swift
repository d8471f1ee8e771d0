import FoundationEssentials
import Glibc
import Storage
import TestSupport
import Testing

@Suite("A process that is killed leaves a sound cache", .serialized)
struct KillTests {
    @Test("kill -9 at 200 random moments loses nothing that was flushed and leaves nothing half done")
    func killed() async throws {
        try await withTemporaryDirectory { root in
            var durable = 0
            for round in 1...200 {
                let (lines, status) = try await Worker.withWorker("fill", root, "\(durable)", "1000000", "3000", "7") {
                    worker async throws in
                    // From before the first system call to well into the work, which on a busy machine is late.
                    let first = round % 4 == 0 ? try await worker.nextLine() : nil
                    try await onDedicatedThread {
                        usleep(UInt32.random(in: 0..<40_000))
                        worker.kill()
                    }
                    let ending = try await worker.finish()
                    return ([first].compactMap { $0 } + ending.lines, ending.status)
                }
                #expect(status == -SIGKILL, "\(lines)")
                if let last = lines.last(where: { $0.hasPrefix("flushed ") }) { durable = Int(last.dropFirst(8))! }
                if round % 20 == 0 { try await expectSound(root) }
            }
            #expect(durable > 0)
            let (lines, status) = try await Worker.run("fill", root, "0", "\(durable + 10)", "3000", "0")
            #expect(status == 0, "\(lines)")
            try await expectSound(root)
            try await withCache(root) { cache async throws in
                let urls = (0..<durable + 10).map { "https://img.example/\($0).jpg" }
                #expect(try await cache.sources(of: urls).count == urls.count)
                #expect(try await cache.verify(needed: []).isSound)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: root + "/tmp").isEmpty)
        }
    }

    @Test("What was flushed before a kill is there after it")
    func flushedStays() async throws {
        try await withTemporaryDirectory { root in
            for _ in 1...10 {
                let last = try await Worker.withWorker("fill", root, "0", "100000", "2000", "3") { worker async throws in
                    var last = 0
                    for _ in 0..<Int.random(in: 1...4) { last = try await worker.nextLine().flatMap { Int($0.dropFirst(8)) } ?? last }
                    worker.kill()
                    _ = try await worker.finish()
                    return last
                }
                #expect(last > 0)
                try await withCache(root, .readOnly) { cache async throws in
                    #expect(try await cache.sources(of: (0..<last).map { "https://img.example/\($0).jpg" }).count == last)
                }
            }
        }
    }
}
