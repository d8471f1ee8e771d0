package import Core
package import FoundationEssentials
package import Storage

/// Removes old runs, and the objects that nothing needs any more.
package struct CachePruning: Sendable {
    /// What was removed, or would be.
    package struct Report: Sendable {
        /// Oldest first.
        package var removedRuns: [String] = []
        package var keptRuns = 0
        package var objects = PruneReport()
    }

    private static let attempts = 5

    package var retention: RunRetention
    /// Only objects that were written before this time.
    package var olderThan: Date?
    /// Nothing is removed while all objects together are no larger; else the oldest go first, until they are.
    package var maximumBytes: ByteCount?

    package init(_ retention: RunRetention, olderThan: Date? = nil, maximumBytes: ByteCount? = nil) {
        self.retention = retention
        self.olderThan = olderThan
        self.maximumBytes = maximumBytes
    }

    /// Prunes `cache`, or only says what would go.
    ///
    /// Runs go before their objects, so that no run that is there names what is not.
    /// - Throws: `CacheError`; ``RunLibraryError`` when a run cannot be read, as it may need anything.
    package func prune(_ cache: Cache, dryRun: Bool) async throws -> Report {
        var report = Report()
        for attempt in 1... {
            let runs = try await RunLibrary(cache).everything()
            if let (name, why) = runs.unreadable.min(by: { $0.key < $1.key }) {
                throw RunLibraryError(
                    "\(why); it may need any object, so nothing is pruned until runs/\(name).json is repaired or moved away",
                    .damaged)
            }
            do {
                try await prune(cache, runs.manifests, dryRun: dryRun, &report)
                return report
            } catch let error as CacheError where error.code == .busy && attempt < Self.attempts {
                // A mirror has saved a run meanwhile, which the next look takes into account. Runs that went are gone for good.
                if dryRun { report = Report() }
            }
        }
        return report
    }

    private func prune(_ cache: Cache, _ manifests: [Manifest], dryRun: Bool, _ report: inout Report) async throws {
        report.keptRuns = manifests.count
        if let maximumBytes {
            let all = try await cache.statistics().all
            if all.bytes <= maximumBytes {
                report.objects = PruneReport(keptObjects: all.objects, keptBytes: all.bytes)
                return
            }
        }
        let removable = Set(retention.removable(of: manifests, pinned: try await cache.pinnedRuns()))
        let kept = manifests.filter { !removable.contains($0.run) }
        report.keptRuns = kept.count
        for run in removable.sorted() {
            if !dryRun { try await cache.removeRun(named: run) }
            report.removedRuns.append(run)
        }
        let keeping = Set(kept.flatMap(\.pictures).map(\.digest))
        report.objects = try await cache.prune(
            keeping: keeping, of: Set(manifests.map(\.run)), olderThan: olderThan, maximumBytes: maximumBytes, dryRun: dryRun)
    }
}
