package import Core
internal import FoundationEssentials
package import Imaging
internal import Mirroring

extension SheetMaker {
    /// Makes the sheet with ``ContactSheet``.
    ///
    /// - Parameters:
    ///   - options: by default the first sixty titles of each list, which is a picture of a few thousand pixels' height; a sheet of a thousand
    ///     titles would be one that few programs open.
    ///   - renderer: has to live as long as the site is being published.
    package static func contactSheet(
        cacheRoot: String, options: SheetOptions = SheetOptions(columns: 6, top: 60), renderer: Renderer, log: Log
    ) -> SheetMaker {
        SheetMaker(identity: "contact sheet, \(options)") { manifest, earlier in
            let path = FileManager.default.temporaryDirectory.path + "/posterity-\(UInt64.random(in: 0...UInt64.max)).png"
            defer { try? FileManager.default.removeItem(atPath: path) }
            _ = try await ContactSheet.write(
                manifest, history: earlier, cache: cacheRoot, options: options, to: path, renderer: renderer, log: log)
            return Array(try Data(contentsOf: URL(filePath: path)))
        }
    }
}
