package import Core
internal import Glibc

/// How much there is of what.
package struct CacheStatistics: Sendable, Equatable {
    package struct Amount: Sendable, Equatable {
        package var objects = 0
        package var bytes = ByteCount(0)

        package init(objects: Int = 0, bytes: ByteCount = ByteCount(0)) {
            self.objects = objects
            self.bytes = bytes
        }
    }

    /// All files in `objects/`.
    package var all = Amount()
    /// Files in `objects/` by extension.
    package var byExtension: [String: Amount] = [:]
    /// Pictures that are what a URL answered last.
    package var originals = Amount()
    /// Pictures that a recipe made.
    package var renditions = Amount()
    package var urls = 0
    package var failures = 0
    package var runs = 0
    package var pinnedRuns = 0
    package var indexBytes = ByteCount(0)
    /// What was set aside as damaged.
    package var damaged = 0
}

extension Cache {
    /// Counts what is in the cache, from the files and from the index.
    package func statistics() async throws(CacheError) -> CacheStatistics {
        try await flush()
        let pins = try await pinnedRuns().count
        return try await readingThread.run { [self] () throws(CacheError) in
            var statistics = CacheStatistics()
            for top in try objects.topNames() {
                for file in try objects.files(in: top) {
                    statistics.all.add(file.byteCount)
                    let suffix = file.name.split(separator: ".").dropFirst().last.map(String.init) ?? ""
                    statistics.byExtension[suffix, default: .init()].add(file.byteCount)
                }
            }
            try index.count(into: &statistics)
            statistics.runs = try savedRunNames().count
            statistics.pinnedRuns = pins
            statistics.indexBytes = ByteCount(try directory.status(of: CacheLayout.indexFile)?.st_size ?? 0)
            if try directory.status(of: CacheLayout.damaged) != nil {
                statistics.damaged = try Directory(CacheLayout.damaged, in: directory).names().count
            }
            return statistics
        }
    }
}

extension CacheStatistics.Amount {
    fileprivate mutating func add(_ byteCount: Int) {
        objects += 1
        bytes += ByteCount(byteCount)
    }
}

extension Index {
    fileprivate func count(into statistics: inout CacheStatistics) throws(CacheError) {
        let counted = try read { database throws(CacheError) in
            var counted = CacheStatistics()
            counted.originals = try Self.amount(ofPicturesIn: "sources", database)
            counted.renditions = try Self.amount(ofPicturesIn: "renditions", database)
            counted.urls = Int(try database.number("SELECT count(*) FROM sources"))
            counted.failures = Int(try database.number("SELECT count(*) FROM failures"))
            return counted
        }
        guard let counted else { return }
        statistics.originals = counted.originals
        statistics.renditions = counted.renditions
        statistics.urls = counted.urls
        statistics.failures = counted.failures
    }

    private static func amount(
        ofPicturesIn table: String, _ database: borrowing Database
    ) throws(CacheError) -> CacheStatistics.Amount {
        var amount = CacheStatistics.Amount()
        let sql = "SELECT count(*), coalesce(sum(bytes), 0) FROM pictures WHERE id IN (SELECT picture FROM \(table))"
        try database.prepare(sql).run { amount = .init(objects: Int($0.integer(0)), bytes: ByteCount($0.integer(1))) }
        return amount
    }
}
