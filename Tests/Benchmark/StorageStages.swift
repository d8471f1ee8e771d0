import Core
import FoundationEssentials
import Storage

/// Hash, write and index, with posters as they come from a host.
struct StorageStages {
    let posters: Posters
    let runs: Int
    let scratch: String

    func measure() async throws {
        await Cost.of(posters.files.count, runs: runs) {
            for file in posters.files { _ = Digest(of: file) }
        }.report("hash", posters.size)

        let root = "\(scratch)/\(posters.size)"
        try await Cache.withCache(at: root, access: .readWrite, clock: .system, log: .silent) { cache in
            var round = 0
            let write = try await Cost.of(posters.files.count, runs: runs) {
                round += 1
                for number in posters.files.indices { _ = try await cache.add(source(number, round)) }
                try await cache.flush()
            }
            let index = try await Cost.of(posters.files.count, runs: runs) {
                for number in posters.files.indices {
                    try await cache.refreshed(url: url(number, 1), etag: "\"2\"", lastModified: nil, fetchedAt: Date(), freshUntil: Date())
                }
                try await cache.flush()
            }
            (write - index).report("hash and write an object, in groups", posters.size)
            index.report("write to the index, in groups", posters.size)
            let urls = posters.files.indices.map { url($0, 1) }
            try await Cost.of(posters.files.count, runs: runs) { _ = try await cache.sources(of: urls) }
                .report("read from the index", posters.size)
        }
    }

    /// A poster in bytes of its own each time, since a cache writes the same bytes once.
    private func source(_ number: Int, _ round: Int) -> NewSource {
        let bytes = posters.files[number] + Array("\(round)".utf8)
        let picture = NewPicture(bytes: bytes, fileExtension: "jpg", mediaType: "image/jpeg", widthPixels: 1, heightPixels: 1)
        return NewSource(
            url: url(number, round), original: .new(picture), etag: "\"1\"", lastModified: nil, fetchedAt: Date(), freshUntil: Date())
    }

    private func url(_ number: Int, _ round: Int) -> String { "https://img.example/\(posters.size)/\(round)-\(number).jpg" }
}
