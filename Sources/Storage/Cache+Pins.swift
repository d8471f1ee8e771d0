internal import Core
internal import Glibc

extension Cache {
    /// Marks a run as one to keep, or not. Pins are files, so that they outlive the index.
    ///
    /// - Throws: ``CacheError`` with the code `notFound` when there is no such run.
    package func setPinned(_ isPinned: Bool, run name: String) async throws(CacheError) {
        guard session != nil else { throw ObjectStore.readOnly(root) }
        if isPinned { _ = try await readRun(named: name) }
        guard CacheLayout.isRunName(name) else { return }
        try await readingThread.run { [self] () throws(CacheError) in
            let pins = try Directory(CacheLayout.pins, in: directory)
            if isPinned {
                _ = try pins.open(name, O_WRONLY | O_CREAT, mode: 0o644, doing: "pin the run")
            } else {
                try pins.remove(name)
            }
            try pins.synchronize()
        }
    }

    /// The names of the runs to keep.
    package func pinnedRuns() async throws(CacheError) -> Set<String> {
        try await readingThread.run { [self] () throws(CacheError) in try pinnedRunNames() }
    }

    /// Removes the record of a run; its pictures stay until the next prune.
    ///
    /// - Throws: ``CacheError`` with the code `busy` when the run is pinned.
    package func removeRun(named name: String) async throws(CacheError) {
        guard session != nil else { throw ObjectStore.readOnly(root) }
        guard CacheLayout.isRunName(name) else { return }
        try await readingThread.run { [self] () throws(CacheError) in
            let runs = try Directory(CacheLayout.runs, in: directory)
            guard try !pinnedRunNames().contains(name) else {
                throw CacheError(.busy, doing: "remove the run", path: "\(runs.path)/\(name).json", cause: "it is pinned")
            }
            try runs.remove("\(name).json")
            try runs.synchronize()
        }
    }

    private func pinnedRunNames() throws(CacheError) -> Set<String> {
        guard try directory.status(of: CacheLayout.pins) != nil else { return [] }
        return Set(try Directory(CacheLayout.pins, in: directory).names().filter(CacheLayout.isRunName))
    }
}
