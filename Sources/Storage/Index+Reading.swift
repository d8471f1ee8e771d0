internal import Core
internal import FoundationEssentials

extension Index {
    func sources(of urls: [String]) throws(CacheError) -> [SourceRecord] {
        try read { database throws(CacheError) in
            let source = try database.prepare(
                """
                SELECT p.digest, p.path, p.bytes, p.width, p.height, p.media_type, s.etag, s.last_modified, s.fetched_at, s.fresh_until,
                    p.colour, p.placeholder, p.id
                FROM sources s JOIN pictures p ON p.id = s.picture WHERE s.url = ?1
                """)
            let renditions = try database.prepare(Self.renditionsOfPicture)
            var records: [SourceRecord] = []
            records.reserveCapacity(urls.count)
            // One snapshot for the whole batch, and one lock instead of one per URL.
            try database.execute("BEGIN")
            defer { try? database.execute("COMMIT") }
            for url in urls {
                var found: (SourceRecord, id: Int64)?
                try source.run(url) { row in
                    guard let picture = StoredPicture(row) else { return }
                    let record = SourceRecord(
                        url: url, picture: picture, etag: row.optionalText(6), lastModified: row.optionalText(7),
                        fetchedAt: Date(milliseconds: row.integer(8)), freshUntil: Date(milliseconds: row.integer(9)),
                        colour: row.optionalText(10), placeholder: row.optionalText(11), renditions: [:])
                    found = (record, row.integer(12))
                }
                guard let id = found?.id, var record = found?.0 else { continue }
                try renditions.run(id) { row in record.renditions[row.text(6)] = StoredPicture(row) }
                records.append(record)
            }
            return records
        } ?? []
    }

    func picture(_ digest: Digest) throws(CacheError) -> KnownPicture? {
        try read { database throws(CacheError) in
            var found: (KnownPicture, id: Int64)?
            let pictures = try database.prepare(
                "SELECT digest, path, bytes, width, height, media_type, colour, placeholder, id FROM pictures WHERE digest = ?1")
            try pictures.run(digest.hex) { row in
                guard let picture = StoredPicture(row) else { return }
                let known = KnownPicture(picture: picture, colour: row.optionalText(6), placeholder: row.optionalText(7), renditions: [:])
                found = (known, row.integer(8))
            }
            guard let id = found?.id, var known = found?.0 else { return nil }
            try database.prepare(Self.renditionsOfPicture).run(id) { row in known.renditions[row.text(6)] = StoredPicture(row) }
            return known
        } ?? nil
    }

    func failures(of urls: [String]) throws(CacheError) -> [String: FailureRecord] {
        try read { database throws(CacheError) in
            var failures: [String: FailureRecord] = [:]
            // Nearly always there is none at all.
            guard try database.number("SELECT EXISTS (SELECT 1 FROM failures)") == 1 else { return failures }
            let statement = try database.prepare("SELECT reason, detail, at FROM failures WHERE url = ?1")
            for url in urls {
                try statement.run(url) { row in
                    failures[url] = FailureRecord(
                        url: url, reason: Reason(rawValue: row.text(0)), detail: row.text(1), at: Date(milliseconds: row.integer(2)))
                }
            }
            return failures
        } ?? [:]
    }

    func answer(for url: String) throws(CacheError) -> StoredAnswer? {
        try read { database throws(CacheError) in
            var answer: StoredAnswer?
            try database.prepare("SELECT body, fetched_at FROM answers WHERE url = ?1").run(url) { row in
                answer = StoredAnswer(url: url, body: row.blob(0), fetchedAt: Date(milliseconds: row.integer(1)))
            }
            return answer
        } ?? nil
    }

    private static let renditionsOfPicture = """
        SELECT p.digest, p.path, p.bytes, p.width, p.height, p.media_type, r.recipe
        FROM renditions r JOIN pictures p ON p.id = r.picture WHERE r.source = ?1
        """
}

extension StoredPicture {
    /// From the columns digest, path, bytes, width, height, media type, in this order; nil when the digest is not one.
    init?(_ row: borrowing Row) {
        guard let digest = row.digest(0) else { return nil }
        self.init(
            digest: digest, path: row.text(1), byteCount: Int(row.integer(2)), widthPixels: Int(row.integer(3)),
            heightPixels: Int(row.integer(4)), mediaType: row.text(5))
    }
}

extension Date {
    init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }

    /// Milliseconds since 1970, rounded; times beyond what fits are the nearest that does.
    var milliseconds: Int64 {
        Int64(exactly: (timeIntervalSince1970 * 1_000).rounded()) ?? (timeIntervalSince1970 < 0 ? .min : .max)
    }
}
