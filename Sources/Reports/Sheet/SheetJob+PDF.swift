internal import Core
internal import Drawing
internal import FoundationEssentials
internal import Mirroring

extension SheetJob {
    /// The dots per inch that a PDF's pictures are to have at least, at scale 1: what a good office printer shows.
    private static let dotsPerInch = 180.0

    func writePDF(to path: String) async throws -> Written {
        let file = try StagedFile(for: path)
        let width = plan.metrics.cell.width * options.scale * Self.dotsPerInch / 72
        let shelf = PosterShelf(root: root, use: .pdf(widthPixels: width), renderer: renderer, readers: readers)
        let document = OnDrawingThread<(canvas: Canvas, painter: SheetPainter)>()
        let temporaryPath = file.temporaryPath
        var drawn = 0
        for page in plan.pages {
            try Task.checkCancellation()
            var pictures: [[SheetPicture?]] = []
            for row in page.rows { pictures.append(try await self.pictures(for: row, from: shelf)) }
            drawn += pictures.joined().count { $0 != nil }
            let (pictures_, job) = (pictures, self)
            try await on(document, path: temporaryPath, for: path) { canvas, painter throws(DrawingError) in
                canvas.setPageSize(width: job.plan.metrics.pageWidth, height: page.height)
                canvas.fill(with: painter.theme.background)
                for (row, pictures) in zip(page.rows, pictures_) { try painter.draw(row, pictures: pictures, on: canvas) }
                try canvas.endPage()
            }
        }
        let missing = try await on(document, path: temporaryPath, for: path) { canvas, painter throws(DrawingError) in
            try canvas.finish()
            document.release()
            return painter.missingCharacters
        }
        try Task.checkCancellation()
        try file.publish()
        return Written(paths: [path], pictures: drawn, missingCharacters: missing, lost: shelf.lostPictures)
    }

    private func on<Value: Sendable>(
        _ document: OnDrawingThread<(canvas: Canvas, painter: SheetPainter)>, path temporaryPath: String, for path: String,
        _ body: @escaping @Sendable (Canvas, SheetPainter) throws(DrawingError) -> Value
    ) async throws(SheetError) -> Value {
        let job = self
        do {
            return try await drawing.run { () throws(DrawingError) in
                try document.with { () throws(DrawingError) in
                    try job.openPDF(at: temporaryPath)
                } _: { opened throws(DrawingError) in
                    try body(opened.canvas, opened.painter)
                }
            }
        } catch {
            throw SheetError(error, path: path)
        }
    }

    private func openPDF(at path: String) throws(DrawingError) -> (canvas: Canvas, painter: SheetPainter) {
        let heading = plan.heading
        let info = Canvas.DocumentInfo(
            title: "\(plan.name), \(heading.week)", subject: "\(heading.list), \(heading.language), \(heading.count)",
            createdAt: manifest.finishedAt)
        let canvas = try Canvas.pdf(
            path: path, width: plan.metrics.pageWidth, height: plan.pages.first?.height ?? 1, info: info)
        return (canvas, SheetPainter(plan, theme: options.theme, movements: movements, pixelsPerUnit: nil))
    }
}
