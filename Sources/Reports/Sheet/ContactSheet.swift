package import Core
internal import Drawing
package import Imaging
package import Mirroring

/// A run's posters on one sheet: a picture to look at, or a PDF to print.
package enum ContactSheet {
    /// What was written.
    package struct Summary: Sendable, Equatable {
        /// More than one when a raster sheet has pages: `sheet-1.png`, `sheet-2.png` and so on.
        package var paths: [String]
        package var pages: Int
        package var titles: Int
        /// Titles with a placeholder, the ones that never had a picture included.
        package var titlesWithoutPicture: Int
        /// What the manifest names and the cache could not give, a title each.
        package var lost: [LostPictures] = []
    }

    /// Draws `manifest` from the pictures of a cache, and puts the file in place when it is whole.
    ///
    /// The network is never asked. No more than a page, or a row of a raster sheet, is in memory. The same input gives the same bytes.
    /// Characters that no font has are said once in `log`, with the Debian package to install.
    /// - Parameters:
    ///   - history: other runs of the cache, for the movement marks.
    ///   - root: the cache directory, which the manifest's paths are relative to. It is only read.
    ///   - path: the end of its name says the format: .png, .jpg, .webp, .avif, .pdf.
    /// - Throws: ``SheetError``; `CancellationError`. A picture that cannot be read is no error: its title gets another or a placeholder, and
    ///   `log` a warning.
    package static func write(
        _ manifest: Manifest, history: [Manifest] = [], cache root: String, options: SheetOptions = SheetOptions(), to path: String,
        renderer: Renderer, log: Log = .silent
    ) async throws -> Summary {
        let summary = try await draw(
            manifest, history: history, cache: root, options: options, to: path, renderer: renderer, log: log)
        for lost in summary.lost { log.warning(lost.sentence) }
        return summary
    }

    /// Does as ``write(_:history:cache:options:to:renderer:log:)``, and leaves it to the caller to say what was lost.
    static func draw(
        _ manifest: Manifest, history: [Manifest], cache root: String, options: SheetOptions, to path: String, renderer: Renderer, log: Log
    ) async throws -> Summary {
        let format = try SheetFormat(path: path)
        let manifest = manifest.vetted
        // Readers of PDF take no page longer than 14,400 points.
        let plan = try SheetPlan(manifest, options: options, maximumHeight: format == .pdf ? 14_400 : .infinity)
        let movements = options.showsMovement ? Movements(of: manifest, history: history) : nil
        return try await WorkerThreads.withThreads(1, named: "draw") { drawing in
            try await WorkerThreads.withThreads(2, named: "read") { readers in
                let job = SheetJob(
                    plan: plan, options: options, manifest: manifest, movements: movements, root: root, renderer: renderer,
                    drawing: drawing,
                    readers: readers)
                let written =
                    switch format {
                    case .pdf: try await job.writePDF(to: path)
                    case .raster(let format): try await job.writeRaster(as: format, to: path)
                    }
                if let advice = GlyphAdvice.sentence(for: written.missingCharacters) { log.warning(advice) }
                return Summary(
                    paths: written.paths, pages: plan.pages.count, titles: plan.titles.count,
                    titlesWithoutPicture: plan.titles.count - written.pictures, lost: written.lost)
            }
        }
    }
}
