package import Core

extension Cache {
    /// What the index says of `urls`, whether or not the objects are there.
    package func recordedSources(of urls: [String]) async throws(CacheError) -> [SourceRecord] {
        try await readingThread.run { [index] () throws(CacheError) in try index.sources(of: urls) }
    }

    /// The URLs whose picture, or something made of it, has one of `digests`.
    package func urls(naming digests: some Sequence<Digest> & Sendable) async throws(CacheError) -> Set<String> {
        try await readingThread.run { [index] () throws(CacheError) in try index.urls(naming: Array(digests)) }
    }

    /// The URLs that end with `suffix`, of those that have a picture or failed the last time. Sorted.
    package func urls(endingWith suffix: String) async throws(CacheError) -> [String] {
        try await readingThread.run { [index] () throws(CacheError) in try index.urls(endingWith: suffix).sorted() }
    }
}

extension Index {
    fileprivate func urls(naming digests: [Digest]) throws(CacheError) -> Set<String> {
        try read { database throws(CacheError) in
            let statement = try database.prepare(
                """
                SELECT s.url FROM sources s JOIN pictures p ON p.id = s.picture WHERE p.digest = ?1
                UNION SELECT s.url FROM pictures p JOIN renditions r ON r.picture = p.id JOIN sources s ON s.picture = r.source
                WHERE p.digest = ?1
                """)
            var urls: Set<String> = []
            for digest in digests { try statement.run(digest.hex) { urls.insert($0.text(0)) } }
            return urls
        } ?? []
    }

    fileprivate func urls(endingWith suffix: String) throws(CacheError) -> Set<String> {
        try read { database throws(CacheError) in
            var urls: Set<String> = []
            let sql = "SELECT url FROM sources WHERE substr(url, ?2) = ?1 UNION SELECT url FROM failures WHERE substr(url, ?2) = ?1"
            try database.prepare(sql).run(suffix, -suffix.unicodeScalars.count) { urls.insert($0.text(0)) }
            return urls
        } ?? []
    }
}
