internal import Core
internal import Imaging
internal import Mirroring
internal import Storage

extension Flags {
    static let repair = Flag.switch("repair", "Set damaged objects aside, and bring them and missing ones back", environment: false)
    static let rebuildIndex = Flag.switch(
        "rebuild-index", "Make index.sqlite anew from the runs and the objects alone, first", environment: false)
}

extension Verb {
    /// `posterity verify`.
    static let verify = Verb(
        "verify", in: .care, "Look at every object, and find what is wrong",
        discussion: """
            Digests every object again, and holds the index and every run against what is there. An object can be missing, damaged (its bytes
            do not have the digest that its name states) or misnamed; an orphaned one, which nothing names, is nothing wrong: prune removes it.

            With --repair damaged and misnamed files go to the folder damaged/ of the cache. Originals are then fetched from their URLs again,
            and renditions are made again from their originals. Only the very same bytes count as repaired. This needs the network, but no key.

            The exit code is 6 when something is wrong, and stays so.
            """,
        flags: [Flags.repair, Flags.rebuildIndex, Flags.cache, Flags.json, Flags.renderThreads] + hostFlags,
        examples: [
            Example("posterity verify", "Is all of it sound?"),
            Example("posterity verify --repair", "Bring back what is damaged:"),
        ]
    ) { arguments, context in
        let changes = arguments[Flags.repair] || arguments[Flags.rebuildIndex]
        let report = try await withCache(arguments, context, changes ? .readWrite : .readOnly) { cache in
            try await look(at: cache, arguments, context)
        }
        try context.output.write(arguments[Flags.json] ? JSONText.encode(report) : Array(report.text.utf8))
        return report.isSound ? .done : .cacheTrouble
    }

    /// The flags that say how an image host is reached; the API is not asked.
    private static let hostFlags: [any AnyFlag] = [Flags.insecureHTTP, Flags.certificateAuthorities, Flags.concurrency]

    private static func look(at cache: Cache, _ arguments: Arguments, _ context: Context) async throws -> VerificationReport {
        var runs = try await RunLibrary(cache).everything()
        var rebuilt: RebuildReport?
        if arguments[Flags.rebuildIndex] {
            rebuilt = try await cache.rebuildIndex(from: runs.manifests.flatMap(\.sourceRecords))
        }
        let first = try await verify(cache, runs, context)
        guard arguments[Flags.repair], !first.isSound else {
            return VerificationReport(first, unreadableRuns: runs.unreadable, rebuilt: rebuilt, repair: nil)
        }
        let repair = try await Network.withImageHosts(arguments, context) { client, governor in
            try await Renderer.withRenderer(threads: arguments[Flags.renderThreads]) { renderer in
                var limits = MirrorLimits()
                limits.downloads = arguments[Flags.concurrency]
                let services = MirrorServices(
                    client: client, governor: governor, renderer: renderer, cache: cache, clock: .system, log: context.log)
                return try await ObjectRepair(services: services, limits: limits).repair(first, manifests: runs.manifests)
            }
        }
        // Looked at once more: what is reported is what is there now, not what was meant to be.
        runs = try await RunLibrary(cache).everything()
        let second = try await verify(cache, runs, context)
        return VerificationReport(second, unreadableRuns: runs.unreadable, rebuilt: rebuilt, repair: repair)
    }

    private static func verify(_ cache: Cache, _ runs: RunLibrary.Everything, _ context: Context) async throws -> VerifyReport {
        try await context.withProgress("Verifying", unit: "objects") { bar in
            try await cache.verify(needed: Set(runs.manifests.flatMap(\.pictures))) { looked, expected in
                bar.expect(expected)
                bar.advance()
            }
        }
    }
}
