package import Core
package import FoundationEssentials
internal import Glibc

/// What prune removed, or would remove.
package struct PruneReport: Sendable, Equatable {
    /// Relative to the cache, sorted.
    package var removed: [String] = []
    package var removedBytes = ByteCount(0)
    package var keptObjects = 0
    package var keptBytes = ByteCount(0)

    package init(removed: [String] = [], removedBytes: ByteCount = ByteCount(0), keptObjects: Int = 0, keptBytes: ByteCount = ByteCount(0))
    {
        (self.removed, self.removedBytes, self.keptObjects, self.keptBytes) = (removed, removedBytes, keptObjects, keptBytes)
    }
}

extension Cache {
    /// Removes objects that nothing needs: not `keeping`, no fresh source, and no process that has the cache open.
    ///
    /// Index rows go first, then the objects, so that the index never names what is not there. Safe beside a running mirror.
    /// - Parameters:
    ///   - keeping: what the runs to keep name.
    ///   - runs: the names of all runs that `keeping` was made from. With one that is not among them, which a mirror has saved since, it is
    ///     refused with the code `busy`. Nil when runs do not matter.
    ///   - olderThan: only objects written before this time.
    ///   - maximumBytes: stop, the oldest first, once all objects together are no larger than this. Needed objects stay, however large.
    ///   - dryRun: only report.
    package func prune(
        keeping: Set<Digest>, of runs: Set<String>? = nil, olderThan: Date? = nil, maximumBytes: ByteCount? = nil, dryRun: Bool
    ) async throws(CacheError) -> PruneReport {
        try await flush()
        return try await stagingThreads.run { [self] () throws(CacheError) in
            var files: [ObjectFile] = []
            for top in try objects.topNames() { files += try objects.files(in: top).filter { $0.digest != nil } }
            files.sort { ($0.writtenAt, $0.name) < ($1.writtenAt, $1.name) }
            var total = ByteCount(files.reduce(0) { $0 + $1.byteCount })
            // Without a session (reading only) one cannot know, and says what would be removed with no one about.
            let needed = try neededNow(keeping, of: runs, othersAreAlive: try session?.othersCountOnObjects() ?? false)
            var candidates: [ObjectFile] = []
            for file in files where !needed.contains(file.digest!) {
                if let olderThan, Date(timeIntervalSince1970: Double(file.writtenAt)) >= olderThan { continue }
                if let maximumBytes, total <= maximumBytes { break }
                candidates.append(file)
                total = ByteCount(total.bytes - Int64(file.byteCount))
            }
            let removed = dryRun ? candidates : try remove(candidates, keeping: keeping, of: runs)
            if !dryRun { try index.dropOldNotes(now: clock.now()) }
            let removedBytes = removed.reduce(0) { $0 + $1.byteCount }
            return PruneReport(
                removed: removed.map(\.path).sorted(), removedBytes: ByteCount(removedBytes), keptObjects: files.count - removed.count,
                keptBytes: ByteCount(files.reduce(0) { $0 + $1.byteCount } - removedBytes))
        }
    }

    // MARK: - Private

    private func neededNow(_ keeping: Set<Digest>, of runs: Set<String>?, othersAreAlive: Bool) throws(CacheError) -> Set<Digest> {
        // Asked after who is alive: a mirror that has ended by then has saved its run before.
        if let runs, try !savedRunNames().allSatisfy(runs.contains) {
            throw CacheError(.busy, doing: "prune", path: root, cause: "a mirror has saved a run just now")
        }
        return try index.neededDigests(now: clock.now(), all: othersAreAlive).union(keeping)
    }

    /// - Returns: what was removed; less than asked for when something has come to be needed.
    private func remove(_ candidates: [ObjectFile], keeping: Set<Digest>, of runs: Set<String>?) throws(CacheError) -> [ObjectFile] {
        guard let session else { throw ObjectStore.readOnly(root) }
        let locks = try Directory(CacheLayout.locks, in: directory)
        var removed: [ObjectFile] = []
        // A thousand at a time: a mirror beside is held up for milliseconds.
        for start in stride(from: 0, to: candidates.count, by: 1_000) {
            let batch = candidates[start..<min(start + 1_000, candidates.count)]
            try RemovalGuard.withRemovalAllowed(locks: locks) { () throws(CacheError) in
                // No mirror may begin until it is done: it would find rows of objects that are about to go.
                removed += try session.withNoNewcomers { othersAreAlive throws(CacheError) in
                    let needed = try neededNow(keeping, of: runs, othersAreAlive: othersAreAlive)
                    let free = batch.filter { !needed.contains($0.digest!) }
                    try index.forget(free.map(\.path))
                    for file in free { try objects.directory.remove(file.name) }
                    return free
                }
            }
        }
        return removed
    }
}
