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
            _ = try await Worker.run("fill", root, "0", "120", "3000", "0")
            for suffix in ["", "-wal", "-shm"] { unlink("\(root)/index.sqlite\(suffix)") }
            // Open until the prune has ended: with no one else about, prune would rightly remove sources this old.
            try await withCache(root) { _ in
                try await Worker.withWorker("prune", root) { pruning async throws in
                    var line = try await pruning.nextLine()
                    if line != "pruning" { line = try await pruning.nextLine() }
                    #expect(line == "pruning")
                    try await withThrowingTaskGroup(of: Worker.Ending.self) { group in
                        for _ in 0..<10 { group.addTask { try await Worker.run("fill", root, "0", "120", "3000", "25") } }
                        for try await (lines, status) in group { #expect(status == 0 && lines.last == "done", "\(lines)") }
                    }
                    let (lines, status) = try await pruning.finish()
                    #expect(status == 0, "\(lines)")
                }
            }
            try await expectSound(root)
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
            try await Worker.withWorker("lock", root, "movie/popular") { first async throws in
                #expect(try await first.nextLine() == "held")
                try await Worker.withWorker("lock", root, "tv/popular") { other async throws in
                    #expect(try await other.nextLine() == "held")
                    try await Worker.withWorker("lock", root, "movie/popular") { second async throws in
                        let line = try await second.nextLine()
                        #expect(line?.contains("another process is mirroring movie/popular") == true)
                        first.kill()
                        _ = try await first.finish()
                        #expect(try await second.nextLine() == "held")
                        #expect(try await second.finish().status == 0)
                    }
                    #expect(try await other.finish().status == 0)
                }
            }
        }
    }

    @Test("Waiting for a list's lock ends when the task is cancelled")
    func cancelledWait() async throws {
        try await withTemporaryDirectory { root in
            try await withCache(root) { cache async throws in
                try await cache.withListLocks(["a"]) {
                    let waiting = Task { try await cache.withListLocks(["a"]) {} }
                    waiting.cancel()
                    await #expect(throws: CancellationError.self) { try await waiting.value }
                }
            }
        }
    }

    @Test("A session sweeps what dead processes left in tmp, and nothing of the living")
    func sweeping() async throws {
        try await withTemporaryDirectory { root in
            try await Worker.withWorker("lock", root, "a") { alive async throws in
                #expect(try await alive.nextLine() == "held")
                try FileManager.default.createDirectory(atPath: root + "/tmp/1-dead", withIntermediateDirectories: false)
                try Data("half".utf8).write(to: URL(filePath: root + "/tmp/1-dead/7"))
                try await withCache(root) { _ in
                    let names = try FileManager.default.contentsOfDirectory(atPath: root + "/tmp")
                    #expect(names.count == 2 && !names.contains("1-dead"))
                }
                #expect(try await alive.finish().status == 0)
            }
        }
    }

    @Test(
        "Bytes are durable before their names, and names before the index",
        .enabled("needs strace (apt-get install strace), and leave to trace") {
            guard Tool.isInstalled("strace") else { return false }
            return try await Tool.outcome(of: "strace", ["-o", "/dev/null", "true"]).status == 0
        })
    func order() async throws {
        try await withTemporaryDirectory { directory in
            let trace = directory + "/trace"
            let calls = "trace=openat,write,pwrite64,syncfs,rename,renameat,renameat2,fsync,fdatasync,linkat"
            let (lines, status) = try await Worker.run(
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
