internal import Core
internal import FoundationEssentials

// Answers of the API that are kept for others to have. They are rows of the index, not objects: small, replaced often, and worth nothing
// once they are old, so that neither `verify` nor a run has to know of them. Prune drops those of more than a month ago.

extension Cache {
    /// The response that is kept for `url`; nil when there is none.
    package func response(for url: String) async throws(CacheError) -> StoredResponse? {
        try await readingThread.run { [index] () throws(CacheError) in try index.response(for: url) }
    }

    /// Keeps a response in the place of the last one for its URL. Durable after the next flush, or half a second later.
    package func keep(_ response: StoredResponse) throws(CacheError) {
        try commit(.response(response))
    }

    /// Drops the oldest responses until what is left is within `bounds`.
    package func trimResponses(to bounds: ResponseBounds) throws(CacheError) {
        try commit(.responsesTrimmed(to: bounds))
    }

    /// How many responses are kept, and how large they are together.
    package func responseAmount() async throws(CacheError) -> CacheStatistics.Amount {
        try await readingThread.run { [index] () throws(CacheError) in try index.responseAmount() }
    }
}

extension Index {
    static func keep(_ response: StoredResponse, in database: borrowing Database) throws(CacheError) {
        let statement = try database.prepare(
            """
            INSERT OR REPLACE INTO responses (url, status, media_type, bytes, fetched_at, fresh_until, body)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """)
        try statement.run(
            response.url, response.status, response.mediaType, response.body.count, response.fetchedAt.milliseconds,
            response.freshUntil.milliseconds, response.body)
    }

    static func trimResponses(to bounds: ResponseBounds, in database: borrowing Database) throws(CacheError) {
        let statement = try database.prepare(
            """
            DELETE FROM responses WHERE rowid IN (
                SELECT rowid FROM (
                    SELECT rowid, row_number() OVER newest AS count, sum(bytes) OVER newest AS total FROM responses
                    WINDOW newest AS (ORDER BY fetched_at DESC, rowid DESC ROWS UNBOUNDED PRECEDING))
                WHERE count > ?1 OR total > ?2)
            """)
        try statement.run(bounds.count, Int(bounds.bytes.bytes))
    }

    fileprivate func response(for url: String) throws(CacheError) -> StoredResponse? {
        try read { database throws(CacheError) in
            var response: StoredResponse?
            let statement = try database.prepare(
                "SELECT status, media_type, fetched_at, fresh_until, body FROM responses WHERE url = ?1")
            try statement.run(url) { row in
                response = StoredResponse(
                    url: url, status: Int(row.integer(0)), mediaType: row.optionalText(1), body: row.blob(4),
                    fetchedAt: Date(milliseconds: row.integer(2)), freshUntil: Date(milliseconds: row.integer(3)))
            }
            return response
        } ?? nil
    }

    fileprivate func responseAmount() throws(CacheError) -> CacheStatistics.Amount {
        try read { database throws(CacheError) in
            var amount = CacheStatistics.Amount()
            try database.prepare("SELECT count(*), coalesce(sum(bytes), 0) FROM responses").run {
                amount = .init(objects: Int($0.integer(0)), bytes: ByteCount($0.integer(1)))
            }
            return amount
        } ?? .init()
    }
}
