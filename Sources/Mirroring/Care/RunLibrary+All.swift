internal import Core
internal import Glibc
internal import Storage

extension RunLibrary {
    /// All runs of a cache, as far as they can be read.
    package struct Everything: Sendable {
        /// Oldest first.
        package var manifests: [Manifest] = []
        /// A sentence for each run that is no manifest, or of a newer version.
        package var unreadable: [String: String] = [:]

        package var names: Set<String> { Set(manifests.map(\.run)).union(unreadable.keys) }
    }

    /// Reads every run, on as many threads as there are processors.
    ///
    /// A run that is removed meanwhile is passed over.
    /// - Throws: `CacheError` when the cache itself cannot be read, or `CancellationError`.
    package func everything() async throws -> Everything {
        let names = try await names()
        let found = Mutex(Everything())
        let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        try await WorkerThreads.withThreads(processors, named: "manifests") { threads in
            try await forEachBounded(names, limit: 2 * processors) { [cache] name in
                do {
                    let json = try await cache.readRun(named: name)
                    let manifest = try await threads.run { try Self.manifest(of: name, json: json) }
                    found.withLock { $0.manifests.append(manifest) }
                } catch let error as RunLibraryError {
                    found.withLock { $0.unreadable[name] = error.description }
                } catch let error as CacheError where error.code == .notFound {}
            }
        }
        var everything = found.withLock { $0 }
        everything.manifests.sort { $0.run < $1.run }
        return everything
    }
}
