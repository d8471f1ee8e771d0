internal import Imaging

extension SheetJob {
    func writeRaster(as format: ImageFormat, to path: String) async throws -> Written {
        throw SheetError(.failed, "raster sheets are not there yet")
    }
}
