internal import CCairo

/// Owns one reference to a cairo surface.
final class Surface {
    let pointer: OpaquePointer

    /// - Parameter pointer: a new surface, whose reference is taken over. cairo never gives null: a surface that failed says so.
    init(_ pointer: OpaquePointer, doing: String) throws(DrawingError) {
        self.pointer = pointer
        try check(doing: doing)
    }

    deinit { cairo_surface_destroy(pointer) }

    /// - Throws: whatever went wrong on this surface since it was made.
    func check(doing: String) throws(DrawingError) {
        try DrawingError.check(cairo_surface_status(pointer), doing: doing)
    }
}

extension DrawingError {
    /// - Throws: unless `status` says that all is well.
    static func check(_ status: cairo_status_t, doing: String) throws(DrawingError) {
        guard status != CAIRO_STATUS_SUCCESS else { return }
        let code: Code =
            switch status {
            case CAIRO_STATUS_WRITE_ERROR, CAIRO_STATUS_FILE_NOT_FOUND: .cannotWrite
            case CAIRO_STATUS_INVALID_SIZE: .badSize
            case CAIRO_STATUS_NO_MEMORY: .outOfMemory
            default: .failed
            }
        throw DrawingError(code, "\(doing): \(String(cString: cairo_status_to_string(status)))")
    }
}
