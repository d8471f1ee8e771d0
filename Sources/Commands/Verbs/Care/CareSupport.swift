internal import Core
internal import Storage

extension VerbGroup {
    static let care = VerbGroup("Care of the cache")
}

extension Verb {
    /// Runs `body` with the cache that `arguments` name, which must be there: care never makes one.
    static func withCache<Value>(
        _ arguments: Arguments, _ context: Context, _ access: Cache.Access = .readOnly, _ body: (Cache) async throws -> Value
    ) async throws -> Value {
        let root = arguments[Flags.cache]
        if access == .readWrite {
            try await Cache.withCache(at: root, access: .readOnly, clock: .system, log: context.log) { _ in }
        }
        return try await Cache.withCache(at: root, access: access, clock: .system, log: context.log, body)
    }

    /// `1 run`, `2 runs`.
    static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
