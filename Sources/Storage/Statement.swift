internal import CSQLite
internal import Core

/// One prepared statement: bind, step, read columns; finalized when it goes out of scope.
struct Statement: ~Copyable {
    private let handle: OpaquePointer
    private let database: OpaquePointer
    private let path: String

    init(_ sql: String, handle: OpaquePointer, database: OpaquePointer, path: String) {
        self.handle = handle
        self.database = database
        self.path = path
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Runs the statement once with `values`, and gives each row to `row`.
    func run(_ values: (any Bindable)?..., row: (borrowing Row) -> Void = { _ in }) throws(CacheError) {
        defer { sqlite3_reset(handle) }
        for (position, value) in values.enumerated() {
            let index = Int32(position + 1)
            let result =
                switch value {
                case nil: sqlite3_bind_null(handle, index)
                case let value?: value.bind(to: handle, at: index)
                }
            guard result == SQLITE_OK else { throw Database.error(of: database, result, doing: "use", path: path) }
        }
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: row(Row(handle: handle))
            case SQLITE_DONE: return
            case let result: throw Database.error(of: database, result, doing: "use", path: path)
            }
        }
    }
}

/// The current row of a statement; columns are counted from 0.
struct Row: ~Copyable {
    fileprivate let handle: OpaquePointer

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func text(_ column: Int32) -> String { optionalText(column) ?? "" }

    func optionalText(_ column: Int32) -> String? {
        guard let start = sqlite3_column_text(handle, column) else { return nil }
        return String(decoding: UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))), as: UTF8.self)
    }

    /// The digest whose hexadecimal digits the column holds; nil when it holds none.
    func digest(_ column: Int32) -> Digest? {
        guard let start = sqlite3_column_text(handle, column) else { return nil }
        return Digest(hexDigits: UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    func blob(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }
}

/// A value that a statement's parameter can take.
protocol Bindable {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32
}

extension Int64: Bindable {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 { sqlite3_bind_int64(statement, index, self) }
}

extension Int: Bindable {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 { sqlite3_bind_int64(statement, index, Int64(self)) }
}

extension String: Bindable {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        var copy = self
        return copy.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { posterity_bind_text(statement, index, $0.baseAddress ?? emptyText, Int32($0.count)) }
        }
    }
}

extension [UInt8]: Bindable {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        withUnsafeBytes { posterity_bind_blob(statement, index, $0.baseAddress, Int32($0.count)) }
    }
}

// An empty string may have no address, and SQLite takes a null address for NULL. A one-byte allocation that is never written or freed.
private nonisolated(unsafe) let emptyText: UnsafePointer<CChar> = {
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    text.initialize(to: 0)
    return UnsafePointer(text)
}()
