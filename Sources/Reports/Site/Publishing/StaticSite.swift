package import Core
internal import FoundationEssentials
package import Mirroring

/// Publishes runs as a folder that any web server or object store can serve.
package enum StaticSite {
    /// Makes `options.directory` show `manifest`, whole or not at all. Reads the cache and never asks the network.
    ///
    /// Equal runs and options give equal bytes. Files that are right already are not written again; when all are, the folder is not touched.
    ///
    /// - Parameters:
    ///   - manifest: the run to show.
    ///   - earlier: all runs there are, in any order; those that are not earlier ones of the same lists are left out. They make the archive,
    ///     and tell what is new.
    ///   - sheet: makes `sheet.png`; without it the site has none.
    ///   - inputs: stands for all that the site is made from, for ``isCurrent(_:cacheRoot:inputs:)`` to know it by the next time.
    ///   - log: gets a warning for each title that lacks a picture which the cache should have.
    /// - Throws: ``SiteError``. Whatever it is, what was published before still is. ``SiteError/isWithheld`` tells the ones that mean
    ///   "done, but too much is missing".
    package static func publish(
        _ manifest: Manifest, earlier: [Manifest], cacheRoot: String, options: SiteOptions, sheet: SheetMaker? = nil,
        inputs: Digest? = nil, log: Log = .silent
    ) async throws(SiteError) -> SiteReport {
        try await WorkerThreads.withThreads(1, named: "site") { threads throws(SiteError) in
            let draft = try await threads.run { () throws(SiteError) in
                try SiteDraft(manifest, earlier: earlier, cacheRoot: cacheRoot, options: options)
            }
            let sheetFile = try await draft.sheet(from: options.isDataOnly ? nil : sheet)
            if Task.isCancelled { throw .cancelled }
            return try await threads.run { () throws(SiteError) in try draft.publish(sheet: sheetFile, inputs: inputs, log: log) }
        }
    }

    /// Whether `options.directory` was published from just these inputs, whole, and nobody has touched a file since: then there is nothing to
    /// do, and a year of runs need not be read to find that out.
    package static func isCurrent(_ options: SiteOptions, cacheRoot: String, inputs: Digest) async -> Bool {
        await WorkerThreads.withThreads(1, named: "site") { threads in
            await threads.run {
                guard let path = try? PublishedFolder.resolve(options.directory, apartFrom: cacheRoot),
                    let folder = try? PublishedFolder(at: path, calling: options.directory)
                else { return false }
                return folder.record?.inputs == inputs && folder.isWholeAndIntact
            }
        }
    }
}
