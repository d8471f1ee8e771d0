/// The tables of `index.sqlite`, and how an older index becomes a newer one.
///
/// Times are milliseconds since 1970. Renditions belong to the picture that they were made from, not to the URL: when a URL goes back to
/// an earlier picture, its renditions are there again.
enum IndexSchema {
    /// The step at position N makes version N + 1; steps that were published are never changed.
    private static let steps = [
        """
        CREATE TABLE pictures (
            id INTEGER PRIMARY KEY,
            digest TEXT NOT NULL UNIQUE,
            path TEXT NOT NULL,
            bytes INTEGER NOT NULL,
            width INTEGER NOT NULL,
            height INTEGER NOT NULL,
            media_type TEXT NOT NULL,
            colour TEXT,
            placeholder TEXT
        ) STRICT;
        CREATE TABLE sources (
            url TEXT PRIMARY KEY,
            picture INTEGER NOT NULL REFERENCES pictures(id) ON DELETE CASCADE,
            etag TEXT,
            last_modified TEXT,
            fetched_at INTEGER NOT NULL,
            fresh_until INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX sources_picture ON sources(picture);
        CREATE TABLE renditions (
            source INTEGER NOT NULL REFERENCES pictures(id) ON DELETE CASCADE,
            recipe TEXT NOT NULL,
            picture INTEGER NOT NULL REFERENCES pictures(id) ON DELETE CASCADE,
            PRIMARY KEY (source, recipe)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX renditions_picture ON renditions(picture);
        CREATE TABLE replaced (
            url TEXT NOT NULL,
            picture INTEGER NOT NULL REFERENCES pictures(id) ON DELETE CASCADE,
            at INTEGER NOT NULL,
            PRIMARY KEY (url, at, picture)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX replaced_picture ON replaced(picture);
        CREATE TABLE failures (url TEXT PRIMARY KEY, reason TEXT NOT NULL, detail TEXT NOT NULL, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE answers (url TEXT PRIMARY KEY, body BLOB NOT NULL, fetched_at INTEGER NOT NULL) STRICT;
        CREATE TABLE requests (account TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
        CREATE INDEX requests_account ON requests(account, at);
        """,
        // The body comes last, so that sizes and times are read without it.
        """
        CREATE TABLE responses (
            url TEXT PRIMARY KEY,
            status INTEGER NOT NULL,
            media_type TEXT,
            bytes INTEGER NOT NULL,
            fetched_at INTEGER NOT NULL,
            fresh_until INTEGER NOT NULL,
            body BLOB NOT NULL
        ) STRICT;
        CREATE INDEX responses_fetched ON responses(fetched_at, bytes);
        """,
    ]

    /// Sets the connection up for writing, and brings the tables up to date.
    static func prepare(_ database: borrowing Database, synchronous: String) throws(CacheError) {
        try check(database)
        try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = \(synchronous); PRAGMA foreign_keys = ON")
        guard try database.number("PRAGMA user_version") < steps.count else { return }
        try database.transaction { () throws(CacheError) in
            let version = Int(try database.number("PRAGMA user_version"))
            for step in steps.dropFirst(version) { try database.execute(step) }
            try database.execute("PRAGMA user_version = \(steps.count)")
        }
    }

    /// Refuses an index of a newer version.
    ///
    /// - Returns: its version; 0 while it has no tables.
    @discardableResult
    static func check(_ database: borrowing Database) throws(CacheError) -> Int64 {
        let version = try database.number("PRAGMA user_version")
        guard version <= steps.count else {
            throw CacheError(
                .newerVersion, doing: "use", path: database.path, cause: "its version is \(version), and this program knows \(steps.count)")
        }
        return version
    }
}
