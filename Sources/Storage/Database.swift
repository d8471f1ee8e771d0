internal import CSQLite
internal import Core
internal import Glibc

/// One SQLite connection, closed when it goes out of scope. Used by one thread at a time.
struct Database: ~Copyable {
    enum Opening {
        /// Made if it is not there.
        case create
        /// Another process may be writing: SQLite's own locks apply, and its shared-memory file is read but never made.
        case read
        /// No process writes, and nothing is made beside the file: works on a read-only file system.
        case immutable
    }

    private let handle: OpaquePointer
    let path: String

    init(_ path: String, _ opening: Opening) throws(CacheError) {
        let escaped = path.utf8.reduce(into: "") { text, byte in
            let scalar = Unicode.Scalar(byte)
            if scalar.properties.isAlphabetic && scalar.isASCII || ("0"..."9").contains(scalar) || "/._-~".unicodeScalars.contains(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                let hex = String(byte, radix: 16)
                text += hex.utf8.count == 1 ? "%0\(hex)" : "%\(hex)"
            }
        }
        let (query, access) =
            switch opening {
            case .create: ("mode=rwc", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
            case .read: ("mode=ro&readonly_shm=1", SQLITE_OPEN_READONLY)
            case .immutable: ("mode=ro&immutable=1", SQLITE_OPEN_READONLY)
            }
        var handle: OpaquePointer?
        let flags = access | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let result = sqlite3_open_v2("file:\(escaped)?\(query)", &handle, flags, nil)
        guard let handle else {
            throw CacheError(.io, doing: "open", path: path, cause: "SQLite has no memory")
        }
        guard result == SQLITE_OK else {
            let error = Self.error(of: handle, result, doing: "open", path: path)
            sqlite3_close_v2(handle)
            throw error
        }
        self.handle = handle
        self.path = path
        // Commits of other processes take milliseconds; ten seconds means that something is stuck.
        sqlite3_busy_timeout(handle, 10_000)
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    func prepare(_ sql: String) throws(CacheError) -> Statement {
        var statement: OpaquePointer?
        let result = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        guard result == SQLITE_OK, let statement else { throw Self.error(of: handle, result, doing: "use", path: path) }
        return Statement(sql, handle: statement, database: handle, path: path)
    }

    /// Runs statements that give no rows.
    func execute(_ sql: String) throws(CacheError) {
        let result = sqlite3_exec(handle, sql, nil, nil, nil)
        guard result == SQLITE_OK else { throw Self.error(of: handle, result, doing: "use", path: path) }
    }

    /// The number in the first column of the first row.
    func number(_ sql: String) throws(CacheError) -> Int64 {
        var number: Int64 = 0
        try prepare(sql).run { number = $0.integer(0) }
        return number
    }

    /// Runs `body` in a transaction that has the write lock from its start; rolled back when it throws.
    func transaction<Value>(_ body: () throws(CacheError) -> Value) throws(CacheError) -> Value {
        try execute("BEGIN IMMEDIATE")
        do throws(CacheError) {
            let value = try body()
            try execute("COMMIT")
            return value
        } catch {
            // SQLite may have rolled back by itself, as it does when the disk is full.
            if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
            throw error
        }
    }

    static func error(of handle: OpaquePointer, _ result: Int32, doing: String, path: String) -> CacheError {
        let text = String(cString: sqlite3_errmsg(handle))
        let system = sqlite3_system_errno(handle)
        let code: CacheError.Code =
            switch result & 0xFF {
            case SQLITE_FULL: .noSpace
            case SQLITE_IOERR where result == shmSizeFailure: .noSpace
            case SQLITE_IOERR where result == writeFailure && fileSizeLimit != nil: .noSpace
            case SQLITE_IOERR where [ENOSPC, EDQUOT, EFBIG].contains(system): .noSpace
            case SQLITE_CANTOPEN where [EMFILE, ENFILE].contains(system): .tooManyFiles
            case SQLITE_CANTOPEN where [EACCES, EPERM, EROFS].contains(system): .notWritable
            case SQLITE_CANTOPEN where system == ENOENT: .notFound
            case SQLITE_READONLY, SQLITE_PERM: .notWritable
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
            case SQLITE_ERROR where text.hasPrefix("no such table") || text.hasPrefix("no such column"): .damaged
            default: .io
            }
        var cause = text
        if system != 0, code != .damaged, code != .busy { cause += " (\(systemText(system)))" }
        if result == writeFailure, system == 0, let fileSizeLimit { cause += " (files are limited to \(fileSizeLimit): `ulimit -f`)" }
        return CacheError(code, doing: doing, path: path, cause: cause)
    }

    // SQLITE_IOERR_SHMSIZE, a macro too involved to be imported: the disk had no room for the shared-memory file.
    private static let shmSizeFailure = SQLITE_IOERR | (19 << 8)

    // SQLITE_IOERR_WRITE, likewise. SQLite forgets the system's error number when a commit fails so, hence the look at the limit.
    private static let writeFailure = SQLITE_IOERR | (3 << 8)

    private static var fileSizeLimit: ByteCount? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0, limit.rlim_cur < rlim_t(Int64.max) else { return nil }
        return ByteCount(limit.rlim_cur)
    }
}
