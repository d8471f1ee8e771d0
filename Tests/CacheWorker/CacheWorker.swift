import Core
import FoundationEssentials
import Glibc
import Storage

/// A process that works on a cache, so that a test can kill it, limit it, trace it, or run several at once.
///
///     CacheWorker fill ROOT FIRST COUNT BYTES FLUSH-EVERY   adds sources; prints "flushed N" when all below N are durable
///     CacheWorker read ROOT COUNT                           opens the cache for reading and asks for COUNT URLs; prints how long it took
///     CacheWorker warm ROOT COUNT                           the same, opened for writing
///     CacheWorker prune ROOT                                removes what nothing needs, again and again, until its input ends
///     CacheWorker lock ROOT LIST                            holds the list's lock until its input ends
@main
struct CacheWorker {
    /// Not `async`: that main thread would end and leave the rest to libdispatch, which then opens a descriptor, and traps where the
    /// limit on them leaves none. Detached, because it would else wait for the main thread, which waits.
    static func main() {
        Task.detached { await work() }
        while true { pause() }
    }

    private static func work() async {
        let arguments = CommandLine.arguments.dropFirst() + Array(repeating: "", count: 8)
        let words = Array(arguments)
        let root = words[1]
        let log = Log(minimum: .info) { _, text in say(text) }
        do {
            switch words[0] {
            case "fill":
                try await fill(
                    root, first: Int(words[2])!, count: Int(words[3])!, byteCount: Int(words[4])!, flushEvery: Int(words[5])!, log)
            case "read": try await ask(root, .readOnly, count: Int(words[2])!)
            case "warm": try await ask(root, .readWrite, count: Int(words[2])!)
            case "prune": try await prune(root, log)
            case "lock":
                try await Cache.withCache(at: root, access: .readWrite, clock: .system, log: log) { cache in
                    try await cache.withListLocks([words[2]]) {
                        say("held")
                        while getchar() != EOF {}
                    }
                }
            default: exit(2)
            }
            exit(0)
        } catch {
            say("error: \(error)")
            exit(6)
        }
    }

    private static func say(_ text: String) {
        print(text)
        fflush(nil)
    }

    private static func fill(_ root: String, first: Int, count: Int, byteCount: Int, flushEvery: Int, _ log: Log) async throws {
        try await Cache.withCache(at: root, access: .readWrite, clock: .system, log: log) { cache in
            for number in first..<first + count {
                // Fresh until long ago: what prune would like to remove.
                let source = NewSource(
                    url: "https://img.example/\(number).jpg", original: .new(picture(number, byteCount, "jpg")), etag: nil,
                    lastModified: nil, fetchedAt: Date(timeIntervalSince1970: 0), freshUntil: Date(timeIntervalSince1970: 1),
                    renditions: [NewRendition(recipe: "r", picture: picture(number, byteCount / 2, "webp"))])
                _ = try await cache.add(source)
                if flushEvery > 0, (number + 1 - first) % flushEvery == 0 {
                    try await cache.flush()
                    say("flushed \(number + 1)")
                }
            }
            _ = try await cache.saveRun(named: "run-\(first)", json: Array("{\"first\": \(first)}".utf8))
            say("done")
        }
    }

    private static func picture(_ number: Int, _ byteCount: Int, _ fileExtension: String) -> NewPicture {
        var bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: max(64, byteCount))
        for (index, byte) in "\(number) \(byteCount) ".utf8.enumerated() { bytes[index] = byte }
        return NewPicture(bytes: bytes, fileExtension: fileExtension, mediaType: "image/x", widthPixels: 1, heightPixels: 1)
    }

    private static func ask(_ root: String, _ access: Cache.Access, count: Int) async throws {
        let clock = ContinuousClock()
        let start = clock.now
        let found = try await Cache.withCache(at: root, access: access, clock: .system, log: .silent) { cache in
            let opened = clock.now
            let found = try await cache.sources(of: (0..<count).map { "https://img.example/\($0).jpg" }).count
            say("opened in \(opened - start), answered in \(clock.now - opened)")
            return found
        }
        say("found \(found), all in \(clock.now - start)")
    }

    private static func prune(_ root: String, _ log: Log) async throws {
        try await Cache.withCache(at: root, access: .readWrite, clock: .system, log: log) { cache in
            var removed = 0
            say("pruning")
            while !inputHasEnded(within: 20) { removed += try await cache.prune(keeping: [], dryRun: false).removed.count }
            say("removed \(removed)")
        }
    }

    private static func inputHasEnded(within milliseconds: Int32) -> Bool {
        var input = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        guard poll(&input, 1, milliseconds) > 0 else { return false }
        var byte: UInt8 = 0
        return read(0, &byte, 1) <= 0
    }
}
