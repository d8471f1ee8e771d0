import FoundationEssentials
import Glibc
import Storage
import TestSupport
import Testing

@Suite("Several processes share one cache", .serialized)
struct ProcessTests {
    @Test("Ten at once add the same pictures while another one prunes: all is there, and sound")
    func atOnce() async throws {
        try await withTemporaryDirectory { root in
            // Unindexed objects, as a killed run leaves them, for the prune to go for while others come to count on them.
            _ = try CacheWorkerProcess.run("fill", root, "0", "120", "3000", "0")
            for suffix in ["", "-wal", "-shm"] { unlink("\(root)/index.sqlite\(suffix)") }
            // Open until the prune has ended: with no one else about, prune would rightly remove sources this old.
            try await withCache(root) { _ in
                let pruning = try CacheWorkerProcess(["prune", root])
                #expect(pruning.nextLine() == "pruning" || pruning.nextLine() == "pruning")
                let workers = try (0..<10).map { _ in try CacheWorkerProcess(["fill", root, "0", "120", "3000", "25"]) }
                for worker in workers {
                    let (lines, status) = worker.finish()
                    #expect(status == 0 && lines.last == "done", "\(lines)")
                }
                let (lines, status) = pruning.finish()
                #expect(status == 0, "\(lines)")
            }
            try expectSound(root)
            try await withCache(root, .readOnly) { cache async throws in
                let urls = (0..<120).map { "https://img.example/\($0).jpg" }
                let known = try await cache.sources(of: urls)
                #expect(known.count == 120 && known.values.allSatisfy { $0.renditions.count == 1 })
                #expect(try await cache.runNames().count == 11)
            }
        }
    }

    @Test("The second mirror of a list waits, says so, and goes on when the first one is killed")
    func listLock() async throws {
        try await withTemporaryDirectory { root in
            let first = try CacheWorkerProcess(["lock", root, "movie/popular"])
            #expect(first.nextLine() == "held")
            let other = try CacheWorkerProcess(["lock", root, "tv/popular"])
            #expect(other.nextLine() == "held")
            let second = try CacheWorkerProcess(["lock", root, "movie/popular"])
            #expect(second.nextLine()?.contains("another process is mirroring movie/popular") == true)
            first.kill()
            _ = first.finish()
            #expect(second.nextLine() == "held")
            #expect(second.finish().status == 0 && other.finish().status == 0)
        }
    }

    @Test("Waiting for a list's lock ends when the task is cancelled")
    func cancelledWait() async throws {
        try await withTemporaryDirectory { root in
            try await withCache(root) { cache async throws in
                try await cache.withListLock("a") {
                    let waiting = Task { try await cache.withListLock("a") {} }
                    waiting.cancel()
                    await #expect(throws: CancellationError.self) { try await waiting.value }
                }
            }
        }
    }

    @Test("A session sweeps what dead processes left in tmp, and nothing of the living")
    func sweeping() async throws {
        try await withTemporaryDirectory { root in
            let alive = try CacheWorkerProcess(["lock", root, "a"])
            #expect(alive.nextLine() == "held")
            try FileManager.default.createDirectory(atPath: root + "/tmp/1-dead", withIntermediateDirectories: false)
            try Data("half".utf8).write(to: URL(filePath: root + "/tmp/1-dead/7"))
            try await withCache(root) { _ in
                let names = try FileManager.default.contentsOfDirectory(atPath: root + "/tmp")
                #expect(names.count == 2 && !names.contains("1-dead"))
            }
            #expect(alive.finish().status == 0)
        }
    }

    @Test("Bytes are durable before their names, and names before the index")
    func order() async throws {
        guard try run(["sh", "-c", "command -v strace"]).status == 0 else {
            print("skipped: strace is not installed")
            return
        }
        try await withTemporaryDirectory { directory in
            let trace = directory + "/trace"
            let calls = "trace=openat,write,pwrite64,syncfs,rename,renameat,renameat2,fsync,fdatasync,linkat"
            let (lines, status) = try CacheWorkerProcess.run(
                "fill", directory + "/cache", "0", "20", "3000", "10", prefix: ["strace", "-f", "-y", "-e", calls, "-o", trace])
            #expect(status == 0, "\(lines)")
            let text = try String(contentsOfFile: trace, encoding: .utf8)
            var unsyncedBytes = 0
            var unsyncedNames = 0
            var renames = 0
            var commits = 0
            var isIndexReady = false
            for line in text.split(separator: "\n") {
                let call = line.drop { $0 != " " }.drop { $0 == " " }
                if call.hasPrefix("write("), call.contains("/cache/tmp/") { unsyncedBytes += 1 }
                // Staging goes on beside; what counts is that a sync came between the last write of the group and its renames.
                if call.hasPrefix("syncfs(") { (unsyncedBytes, unsyncedNames) = (0, 0) }
                if call.hasPrefix("rename"), call.contains("/cache/objects"), call.hasSuffix("= 0") {
                    #expect(unsyncedBytes == 0, "renamed before a sync: \(line)")
                    unsyncedNames += 1
                    renames += 1
                    isIndexReady = true
                }
                if call.hasPrefix("pwrite64("), call.contains("/index.sqlite-wal"), isIndexReady {
                    #expect(unsyncedNames == 0, "indexed before the names were durable: \(line)")
                }
                if call.hasPrefix("fdatasync("), call.contains("/index.sqlite-wal") { commits += 1 }
                if call.hasPrefix("write("), call.contains("\"flushed") { #expect(unsyncedNames == 0 && commits > 0) }
                if call.hasPrefix("linkat("), call.contains("/cache/runs") {
                    #expect(text.components(separatedBy: String(line)).first?.contains("fsync") == true)
                }
            }
            #expect(renames == 40 && commits >= 2)
        }
    }
}
