internal import Core
internal import FoundationEssentials

/// One change of the index, part of a group's transaction.
enum IndexChange: Sendable {
    case source(SourceRecord)
    case refreshed(url: String, etag: String?, lastModified: String?, fetchedAt: Date, freshUntil: Date)
    case failure(FailureRecord)
    case answer(StoredAnswer)
    case response(StoredResponse)
    case responsesTrimmed(to: ResponseBounds)
}

extension Index {
    /// Makes all changes in one transaction, in order; durable when it returns.
    func apply(_ changes: [IndexChange]) throws(CacheError) {
        try write { database throws(CacheError) in
            try database.transaction { () throws(CacheError) in try Self.apply(changes, to: database) }
        }
    }

    static func apply(_ changes: [IndexChange], to database: borrowing Database) throws(CacheError) {
        let picture = try database.prepare(
            """
            INSERT INTO pictures (digest, path, bytes, width, height, media_type, colour, placeholder)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            ON CONFLICT (digest) DO UPDATE SET path = excluded.path, bytes = excluded.bytes, width = excluded.width,
                height = excluded.height, media_type = excluded.media_type,
                colour = coalesce(excluded.colour, colour), placeholder = coalesce(excluded.placeholder, placeholder)
            """)
        let replaced = try database.prepare(
            """
            INSERT OR IGNORE INTO replaced (url, picture, at)
            SELECT s.url, s.picture, ?3 FROM sources s JOIN pictures p ON p.id = s.picture WHERE s.url = ?1 AND p.digest <> ?2
            """)
        let source = try database.prepare(
            """
            INSERT INTO sources (url, picture, etag, last_modified, fetched_at, fresh_until)
            VALUES (?1, (SELECT id FROM pictures WHERE digest = ?2), ?3, ?4, ?5, ?6)
            ON CONFLICT (url) DO UPDATE SET picture = excluded.picture, etag = excluded.etag, last_modified = excluded.last_modified,
                fetched_at = excluded.fetched_at, fresh_until = excluded.fresh_until
            """)
        let rendition = try database.prepare(
            """
            INSERT INTO renditions (source, recipe, picture)
            VALUES ((SELECT id FROM pictures WHERE digest = ?1), ?2, (SELECT id FROM pictures WHERE digest = ?3))
            ON CONFLICT (source, recipe) DO UPDATE SET picture = excluded.picture
            """)
        let refreshed = try database.prepare(
            """
            UPDATE sources SET etag = coalesce(?2, etag), last_modified = coalesce(?3, last_modified), fetched_at = ?4, fresh_until = ?5
            WHERE url = ?1
            """)
        let failure = try database.prepare("INSERT OR REPLACE INTO failures (url, reason, detail, at) VALUES (?1, ?2, ?3, ?4)")
        let success = try database.prepare("DELETE FROM failures WHERE url = ?1")
        let answer = try database.prepare("INSERT OR REPLACE INTO answers (url, body, fetched_at) VALUES (?1, ?2, ?3)")

        for change in changes {
            switch change {
            case .source(let record):
                let original = record.picture
                try picture.run(
                    original.digest.hex, original.path, original.byteCount, original.widthPixels, original.heightPixels,
                    original.mediaType, record.colour, record.placeholder)
                try replaced.run(record.url, original.digest.hex, record.fetchedAt.milliseconds)
                try source.run(
                    record.url, original.digest.hex, record.etag, record.lastModified, record.fetchedAt.milliseconds,
                    record.freshUntil.milliseconds)
                for (recipe, made) in record.renditions {
                    try picture.run(
                        made.digest.hex, made.path, made.byteCount, made.widthPixels, made.heightPixels, made.mediaType, nil, nil)
                    try rendition.run(original.digest.hex, recipe, made.digest.hex)
                }
                try success.run(record.url)
            case .refreshed(let url, let etag, let lastModified, let fetchedAt, let freshUntil):
                try refreshed.run(url, etag, lastModified, fetchedAt.milliseconds, freshUntil.milliseconds)
                try success.run(url)
            case .failure(let record):
                try failure.run(record.url, record.reason.rawValue, record.detail, record.at.milliseconds)
            case .answer(let record):
                try answer.run(record.url, record.body, record.fetchedAt.milliseconds)
            case .response(let record): try keep(record, in: database)
            case .responsesTrimmed(let bounds): try trimResponses(to: bounds, in: database)
            }
        }
    }
}
