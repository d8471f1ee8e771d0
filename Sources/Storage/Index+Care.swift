internal import Core
internal import FoundationEssentials

extension Index {
    /// Every picture that the index names.
    func pictures() throws(CacheError) -> Set<StoredPicture> {
        try read { database throws(CacheError) in
            var pictures: Set<StoredPicture> = []
            try database.prepare("SELECT digest, path, bytes, width, height, media_type FROM pictures").run { row in
                if let picture = StoredPicture(row) { pictures.insert(picture) }
            }
            return pictures
        } ?? []
    }

    /// Removes the pictures with these paths, and every source and rendition that counts on them.
    func forget(_ paths: [String]) throws(CacheError) {
        guard !paths.isEmpty else { return }
        try write { database throws(CacheError) in
            try database.transaction { () throws(CacheError) in
                let statement = try database.prepare("DELETE FROM pictures WHERE path = ?1")
                for path in paths { try statement.run(path) }
            }
        }
    }

    /// The digests that sources need, each with its renditions.
    ///
    /// - Parameters:
    ///   - now: sources that are fresh at this time are needed, and those that were fetched within the hour before it: a run that has
    ///     just ended counts on them.
    ///   - all: every source is needed, and every picture that was replaced within a day: another process may have read them.
    func neededDigests(now: Date, all: Bool) throws(CacheError) -> Set<Digest> {
        try read { database throws(CacheError) in
            let statement = try database.prepare(
                """
                WITH needed(id) AS (
                    SELECT picture FROM sources WHERE ?1 OR fresh_until > ?2 OR fetched_at > ?2 - 3600000
                    UNION SELECT picture FROM replaced WHERE ?1 AND at > ?2 - 86400000)
                SELECT digest FROM pictures WHERE id IN (SELECT id FROM needed)
                    OR id IN (SELECT picture FROM renditions WHERE source IN (SELECT id FROM needed))
                """)
            var digests: Set<Digest> = []
            try statement.run(all ? 1 : 0, now.milliseconds) { row in
                if let digest = Digest(row.text(0)) { digests.insert(digest) }
            }
            return digests
        } ?? []
    }

    /// Removes what no one asks for any more: failures and answers of more than a month ago.
    func dropOldNotes(now: Date) throws(CacheError) {
        let month: Int64 = 30 * 86_400_000
        try write { database throws(CacheError) in
            try database.transaction { () throws(CacheError) in
                try database.prepare("DELETE FROM failures WHERE at < ?1").run(now.milliseconds - month)
                try database.prepare("DELETE FROM answers WHERE fetched_at < ?1").run(now.milliseconds - month)
                try database.prepare("DELETE FROM responses WHERE fetched_at < ?1").run(now.milliseconds - month)
            }
        }
    }
}
