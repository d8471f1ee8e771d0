internal import Core
internal import Glibc

extension Cache {
    /// Writes the record of a run, whole or not at all, after all that was added is durable.
    ///
    /// - Parameters:
    ///   - name: letters, digits, `-`, `_` and `.`, such as `20261130T062144Z-trending-movie-week`. One that is taken gets `-2`, `-3`, …
    ///   - draft: the record's body.
    ///   - frame: what stands before and after it under the name that the record gets; called once for each name that is tried.
    /// - Returns: the name that it got, and its path relative to the cache.
    package func saveRun(
        named name: String, _ draft: RunDraft, frame: @escaping @Sendable (_ name: String) -> (beginning: [UInt8], end: [UInt8])
    ) async throws(CacheError) -> (name: String, path: String) {
        guard let session else { throw ObjectStore.readOnly(root) }
        guard CacheLayout.isRunName(name) else {
            throw CacheError(.io, doing: "save the run", path: name, cause: "the name has characters that a run's name may not have")
        }
        try await flush()
        return try await stagingThreads.run { [self] () throws(CacheError) in
            let runs = try Directory(CacheLayout.runs, in: directory)
            var free = name
            var next = 2
            while true {
                let (beginning, end) = frame(free)
                let temporaryName = session.newName()
                defer { try? session.directory.remove(temporaryName) }
                try session.directory.create(temporaryName, mode: 0o444, durable: true) { file, path throws(CacheError) in
                    try file.write(all: beginning, path: path)
                    try draft.copy(to: file, path: path)
                    try file.write(all: end, path: path)
                }
                if try session.directory.link(temporaryName, to: "\(free).json", in: runs) { break }
                free = "\(name)-\(next)"
                next += 1
            }
            try runs.synchronize()
            return (free, "\(CacheLayout.runs)/\(free).json")
        }
    }

    /// Writes a record that is the same under whatever name it gets.
    package func saveRun(named name: String, json: [UInt8]) async throws(CacheError) -> String {
        try await saveRun(named: name, runDraft()) { _ in (json, []) }.path
    }

    /// The names of all runs, oldest first, for they begin with a time.
    package func runNames() async throws(CacheError) -> [String] {
        try await readingThread.run { [self] () throws(CacheError) in try savedRunNames() }
    }

    /// - Throws: ``CacheError`` with the code `notFound` and the nearest names when there is no such run.
    package func readRun(named name: String) async throws(CacheError) -> [UInt8] {
        try await readingThread.run { [self] () throws(CacheError) in
            let runs = try Directory(CacheLayout.runs, in: directory)
            guard CacheLayout.isRunName(name), try runs.status(of: "\(name).json") != nil else {
                let names = try savedRunNames()
                let similar = names.filter { $0.contains(name) }.suffix(3)
                let shown = similar.isEmpty ? names.suffix(3) : similar
                let hint = shown.isEmpty ? "there are no runs yet" : "there is no such run; there are \(shown.joined(separator: ", "))"
                throw CacheError(.notFound, doing: "read the run", path: "\(runs.path)/\(name).json", cause: hint)
            }
            return try runs.open("\(name).json", O_RDONLY, doing: "read").readAll(path: "\(runs.path)/\(name).json")
        }
    }

    func savedRunNames() throws(CacheError) -> [String] {
        try Directory(CacheLayout.runs, in: directory).names().compactMap { file in
            file.hasSuffix(".json") && !file.hasPrefix(".") ? String(file.dropLast(5)) : nil
        }.sorted()
    }
}
