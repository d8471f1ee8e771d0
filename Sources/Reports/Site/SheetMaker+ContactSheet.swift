package import Core
internal import FoundationEssentials
package import Imaging
internal import Mirroring

extension SheetOptions {
    /// What a site offers: the first sixty titles of each list in some 2 MB, since a sheet that outweighs the site is none to link to, and
    /// one of a thousand titles few programs open.
    package static let ofSite = SheetOptions(columns: 6, top: 60, hasPalette: true)
}

extension SheetMaker {
    /// Makes the sheet with ``ContactSheet``.
    ///
    /// - Parameters:
    ///   - options: by default ``SheetOptions/ofSite``.
    ///   - renderer: has to live as long as the site is being published.
    package static func contactSheet(
        cacheRoot: String, options: SheetOptions = .ofSite, renderer: Renderer, log: Log
    ) -> SheetMaker {
        SheetMaker(identity: "contact sheet, \(options)") { manifest, earlier in
            let path = FileManager.default.temporaryDirectory.path + "/posterity-\(UInt64.random(in: 0...UInt64.max)).png"
            defer { try? FileManager.default.removeItem(atPath: path) }
            let summary = try await ContactSheet.draw(
                manifest, history: earlier, cache: cacheRoot, options: options, to: path, renderer: renderer, log: log)
            return Drawing(bytes: Array(try Data(contentsOf: URL(filePath: path))), lost: summary.lost)
        }
    }
}
