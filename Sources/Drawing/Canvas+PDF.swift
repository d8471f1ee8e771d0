internal import CCairo
internal import Core
package import FoundationEssentials

extension Canvas {
    /// What a PDF says about itself.
    package struct DocumentInfo: Sendable {
        package var title: String
        package var subject: String
        /// Given, not taken from the clock, so that the same input gives the same bytes.
        package var createdAt: Date

        package init(title: String, subject: String = "", createdAt: Date) {
            self.title = title
            self.subject = subject
            self.createdAt = createdAt
        }
    }

    /// A canvas whose pages go to a PDF file as they are ended, so that no more than one page is in memory.
    ///
    /// - Parameters:
    ///   - path: a new file, or one that is written over.
    ///   - width: of the first page, in points; likewise `height`.
    package static func pdf(path: String, width: Double, height: Double, info: DocumentInfo) throws(DrawingError) -> Canvas {
        let surface = try Surface(cairo_pdf_surface_create(path, width, height), doing: "making the document")
        let fields = [
            (CAIRO_PDF_METADATA_TITLE, info.title), (CAIRO_PDF_METADATA_SUBJECT, info.subject),
            (CAIRO_PDF_METADATA_CREATOR, "posterity"), (CAIRO_PDF_METADATA_CREATE_DATE, info.createdAt.iso8601),
        ]
        for (field, text) in fields where !text.isEmpty { cairo_pdf_surface_set_metadata(surface.pointer, field, text) }
        return Canvas(surface: surface, scale: 1)
    }

    /// The size, in points, of the page that begins now; nothing may be drawn on it before.
    package func setPageSize(width: Double, height: Double) {
        cairo_pdf_surface_set_size(surface.pointer, width, height)
    }

    /// Ends the page and writes it out.
    package func endPage() throws(DrawingError) {
        cairo_show_page(context)
        try check(doing: "writing a page")
    }

    /// Ends the document; nothing can be drawn afterwards. Without it the file is not whole.
    package func finish() throws(DrawingError) {
        try check(doing: "drawing")
        cairo_surface_finish(surface.pointer)
        try surface.check(doing: "writing the document's end")
    }
}
