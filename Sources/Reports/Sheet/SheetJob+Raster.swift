internal import Core
internal import Drawing
internal import Imaging

extension SheetJob {
    /// Pixels per unit: a page's units are points, of which a screen shows 72 on 96 pixels.
    private var pixelsPerUnit: Double { options.scale * (plan.metrics.pageHeight == nil ? 1 : 96.0 / 72) }

    /// A horizontal piece of a page that is drawn, encoded and forgotten.
    private struct Strip: Sendable {
        let row: SheetPlan.Row
        let top: Int
        let height: Int
    }

    func writeRaster(as format: ImageFormat, to path: String) async throws -> Written {
        let width = Int((plan.metrics.pageWidth * pixelsPerUnit).rounded(.up))
        for page in plan.pages { try check(width: width, height: height(of: page), format: format) }
        let shelf = PosterShelf(
            root: root,
            use: .raster(
                widthPixels: max(1, Int((plan.metrics.cell.width * pixelsPerUnit).rounded())),
                heightPixels: max(1, Int((plan.metrics.cell.posterHeight * pixelsPerUnit).rounded()))),
            renderer: renderer, readers: readers)
        let painter = OnDrawingThread<SheetPainter>()
        var drawn = 0
        var files: [StagedFile] = []
        for (place, page) in plan.pages.enumerated() {
            let file = try StagedFile(for: Self.path(path, page: place + 1, of: plan.pages.count))
            files.append(file)
            try await write(page, as: format, to: file) { strip in
                let pictures = try await self.pictures(for: strip.row, from: shelf)
                drawn += pictures.count { $0 != nil }
                return try await self.draw(strip, width: width, pictures: pictures, painter: painter)
            }
        }
        let missing = await drawing.run {
            painter.with({ self.makePainter() }) { painterInUse in
                painter.release()
                return painterInUse.missingCharacters
            }
        }
        try Task.checkCancellation()
        for file in files { try file.publish() }
        return Written(paths: files.map(\.path), pictures: drawn, missingCharacters: missing, lost: shelf.lostPictures)
    }

    private func write(
        _ page: SheetPlan.Page, as format: ImageFormat, to file: StagedFile, draw: (Strip) async throws -> PixelBuffer
    ) async throws {
        let (width, height) = (Int((plan.metrics.pageWidth * pixelsPerUnit).rounded(.up)), height(of: page))
        let quality = Self.quality(format)
        let appendAll = { (encoder: inout StripEncoder) in
            for strip in strips(of: page) {
                try Task.checkCancellation()
                try encoder.append(try await draw(strip))
            }
            try Task.checkCancellation()
        }
        switch format {
        case .png, .jpeg:
            try await renderer.writeStrips(
                widthPixels: width, heightPixels: height, as: format, quality: quality, hasPalette: options.hasPalette,
                scratchDirectory: file.directory, to: file.temporaryPath, appendAll)
        case .webp, .avif, .gif:
            let bytes = try await renderer.encodeStrips(
                widthPixels: width, heightPixels: height, as: format, quality: quality, scratchDirectory: file.directory, appendAll)
            try await readers.run { () throws(SheetError) in try file.write(bytes) }
        }
    }

    // MARK: - Drawing

    private func makePainter() -> SheetPainter {
        SheetPainter(plan, theme: options.theme, movements: movements, pixelsPerUnit: pixelsPerUnit)
    }

    private func draw(
        _ strip: Strip, width: Int, pictures: [SheetPicture?], painter: OnDrawingThread<SheetPainter>
    ) async throws(SheetError) -> PixelBuffer {
        do {
            return try await drawing.run { () throws(DrawingError) in
                try painter.with { () throws(DrawingError) in
                    self.makePainter()
                } _: { painter throws(DrawingError) in
                    let scale = self.pixelsPerUnit
                    let canvas = try Canvas.raster(widthPixels: width, heightPixels: strip.height, scale: scale)
                    canvas.fill(with: painter.theme.background)
                    canvas.translate(x: 0, y: -Double(strip.top) / scale)
                    try painter.draw(strip.row, pictures: pictures, on: canvas)
                    return PixelBuffer(widthPixels: width, heightPixels: strip.height, rgba: try canvas.rgba())
                }
            }
        } catch {
            throw SheetError(error.code == .badSize ? .badOptions : .failed, "a row of the sheet: \(error.description)")
        }
    }

    /// One strip per row, from a little above it to a little above the next.
    private func strips(of page: SheetPlan.Page) -> [Strip] {
        let above = 2.0
        let tops = page.rows.enumerated().map { place, row in place == 0 ? 0 : Int(((row.y - above) * pixelsPerUnit).rounded(.down)) }
        let bottoms = tops.dropFirst() + [height(of: page)]
        return zip(page.rows, zip(tops, bottoms)).map { row, edges in Strip(row: row, top: edges.0, height: edges.1 - edges.0) }
    }

    // MARK: - Sizes and names

    private func height(of page: SheetPlan.Page) -> Int { Int((page.height * pixelsPerUnit).rounded(.up)) }

    private func check(width: Int, height: Int, format: ImageFormat) throws(SheetError) {
        let longest = SheetFormat.raster(format).maximumSide
        guard max(width, height) > longest else { return }
        throw SheetError(
            .badOptions,
            "the sheet would have \(width) × \(height) pixels, and \(format.rawValue) allows \(longest) at most: "
                + "write a .png or .pdf, or use --page a4, --top, --scale or more --columns")
    }

    private static func quality(_ format: ImageFormat) -> Int {
        format == .avif ? 70 : 90
    }

    /// `sheet-03.png` for the third of twenty pages; `path` itself for the only one.
    static func path(_ path: String, page: Int, of count: Int) -> String {
        guard count > 1, let dot = path.lastIndex(of: ".") else { return path }
        let digits = String(page)
        let zeros = String(repeating: "0", count: max(0, String(count).count - digits.count))
        return path[..<dot] + "-" + zeros + digits + path[dot...]
    }
}
