internal import Core
internal import Glibc

/// What an index was rebuilt from.
package struct RebuildReport: Sendable, Equatable {
    package var sources = 0
    package var renditions = 0
    /// Pictures that the records name and that are not there.
    package var missing = 0
}

extension Cache {
    /// Makes `index.sqlite` anew and puts it in the place of the present one, which may be damaged or missing.
    ///
    /// Freshness, validators and renditions come back; the memory of failures, of the last minute's requests and the API's last answers do not.
    /// - Parameter records: what the runs name, oldest run first: of two records for a URL the later one wins.
    /// - Throws: ``CacheError`` with the code `busy` while another process has the cache open.
    package func rebuildIndex(from records: [SourceRecord]) async throws(CacheError) -> RebuildReport {
        guard let session else { throw ObjectStore.readOnly(root) }
        return try await stagingThreads.run { [self] () throws(CacheError) in
            var report = RebuildReport()
            var changes: [IndexChange] = []
            for var record in records {
                let renditions = record.renditions.count
                record.renditions = record.renditions.filter { objects.has($0.value) }
                report.missing += renditions - record.renditions.count
                guard objects.has(record.picture) else {
                    report.missing += 1
                    continue
                }
                report.sources += 1
                report.renditions += record.renditions.count
                changes.append(.source(record))
            }
            let name = "\(session.newName()).sqlite"
            try Index.build(at: "\(session.directory.path)/\(name)", changes)
            try index.replace(with: name, in: session)
            return report
        }
    }
}

extension Index {
    fileprivate static func build(at path: String, _ changes: [IndexChange]) throws(CacheError) {
        let database = try Database(path, .create)
        try IndexSchema.prepare(database, synchronous: "FULL")
        try database.transaction { () throws(CacheError) in try apply(changes, to: database) }
        // Everything into the one file, which is then whole by itself.
        try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}
