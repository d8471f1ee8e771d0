package import Core
package import FoundationEssentials

extension Cache {
    /// What is known of `urls`, in one batch, without what has lost its object's file.
    ///
    /// Shows what is committed: what was added shortly before is in it only after a flush.
    package func sources(of urls: [String]) async throws(CacheError) -> [String: SourceRecord] {
        try await readingThread.run { [index, objects] () throws(CacheError) in
            var sources: [String: SourceRecord] = [:]
            sources.reserveCapacity(urls.count)
            for var record in try index.sources(of: urls) where objects.has(record.picture) {
                if !record.renditions.values.allSatisfy(objects.has) {
                    record.renditions = record.renditions.filter { objects.has($0.value) }
                }
                sources[record.url] = record
            }
            return sources
        }
    }

    /// What is known of a picture, under whatever URL it came; nil when it is not stored.
    package func picture(_ digest: Digest) async throws(CacheError) -> KnownPicture? {
        try await readingThread.run { [index, objects] () throws(CacheError) in
            guard var known = try index.picture(digest), objects.has(known.picture) else { return nil }
            known.renditions = known.renditions.filter { objects.has($0.value) }
            return known
        }
    }

    /// The digest of bytes that came from elsewhere, made on one of the cache's threads.
    package func digest(of bytes: [UInt8]) async -> Digest {
        await stagingThreads.run { Digest(of: bytes) }
    }

    /// The picture's bytes, held against their digest.
    ///
    /// - Throws: ``CacheError`` with the code `damaged` or `notFound`.
    package func read(_ picture: StoredPicture) async throws(CacheError) -> [UInt8] {
        try await stagingThreads.run { [objects] () throws(CacheError) in try objects.read(picture) }
    }

    /// What of `source` is still as it was stored, by its bytes; nil when the original is not. Renditions that are not are left out.
    package func intact(_ source: SourceRecord) async throws(CacheError) -> SourceRecord? {
        try await stagingThreads.run { [objects] () throws(CacheError) in
            guard try objects.isIntact(source.picture) else { return nil }
            var intact = source
            for (recipe, picture) in source.renditions {
                if try !objects.isIntact(picture) { intact.renditions[recipe] = nil }
            }
            return intact
        }
    }

    /// Stores what a URL answered and what was made of it. It is durable after the next flush, or half a second later.
    ///
    /// - Returns: the record, with the renditions that were given.
    /// - Throws: ``CacheError``; `notFound` when a picture said to be stored is not. Also the failure of an earlier group.
    package func add(_ source: NewSource) async throws(CacheError) -> SourceRecord {
        guard let committer else { throw ObjectStore.readOnly(root) }
        return try await stagingThreads.run { [objects, root] () throws(CacheError) in
            let removalGuard = try committer.removalGuard()
            var staged: [StagedObject] = []
            do throws(CacheError) {
                var byteCount = 0
                func stage(_ picture: NewPicture) throws(CacheError) -> StoredPicture {
                    let (stored, object) = try objects.stage(picture)
                    if let object {
                        staged.append(object)
                        byteCount += picture.bytes.count
                    }
                    return stored
                }
                let original: StoredPicture
                switch source.original {
                case .new(let picture): original = try stage(picture)
                case .stored(let picture):
                    guard objects.has(picture) else {
                        throw CacheError(
                            .notFound, doing: "count on", path: "\(root)/\(picture.path)", cause: "the object is gone")
                    }
                    original = picture
                }
                var record = SourceRecord(
                    url: source.url, picture: original, etag: source.etag, lastModified: source.lastModified,
                    fetchedAt: source.fetchedAt.toMilliseconds, freshUntil: source.freshUntil.toMilliseconds, colour: source.colour,
                    placeholder: source.placeholder, renditions: [:])
                for rendition in source.renditions { record.renditions[rendition.recipe] = try stage(rendition.picture) }
                try committer.add(
                    .init(staged: staged, change: .source(record), byteCount: byteCount, removalGuard: removalGuard))
                return record
            } catch {
                objects.discard(staged)
                throw error
            }
        }
    }

    /// Notes that a URL's picture is unchanged (a 304). Nil validators keep those that are known.
    package func refreshed(
        url: String, etag: String?, lastModified: String?, fetchedAt: Date, freshUntil: Date
    ) async throws(CacheError) {
        try commit(.refreshed(url: url, etag: etag, lastModified: lastModified, fetchedAt: fetchedAt, freshUntil: freshUntil))
    }

    /// Remembers why a URL could not be had; forgotten with the next success.
    package func recordFailure(_ failure: FailureRecord) async throws(CacheError) {
        try commit(.failure(failure))
    }

    /// The last failure of each of `urls`; those that have none are left out.
    package func failures(of urls: [String]) async throws(CacheError) -> [String: FailureRecord] {
        try await readingThread.run { [index] () throws(CacheError) in try index.failures(of: urls) }
    }

    /// The API's last answer for `url`; nil when there is none.
    package func answer(for url: String) async throws(CacheError) -> StoredAnswer? {
        try await readingThread.run { [index] () throws(CacheError) in try index.answer(for: url) }
    }

    /// Keeps an answer of the API in the place of the last one.
    package func keep(_ answer: StoredAnswer) async throws(CacheError) {
        try commit(.answer(answer))
    }

    /// Returns when all that was added is durable and indexed.
    ///
    /// - Throws: the first failure since the last flush. What was added since then, and by the group that failed, is not in the index.
    package func flush() async throws(CacheError) {
        try await committer?.flush()
    }

    private func commit(_ change: IndexChange) throws(CacheError) {
        guard let committer else { throw ObjectStore.readOnly(root) }
        try committer.add(.init(change: change))
    }
}

extension Date {
    /// This time as the index keeps it.
    fileprivate var toMilliseconds: Date { Date(milliseconds: milliseconds) }
}
