package import Imaging

/// What kind of file a contact sheet is written to.
package enum SheetFormat: Sendable, Equatable {
    case pdf
    case raster(ImageFormat)

    /// The format that the end of a file's name stands for.
    package init(path: String) throws(SheetError) {
        let name = path.split(separator: "/").last ?? ""
        let ending = name.contains(".") ? String(name.split(separator: ".").last ?? "").lowercased() : ""
        switch ending {
        case "pdf": self = .pdf
        case "png": self = .raster(.png)
        case "jpg", "jpeg": self = .raster(.jpeg)
        case "webp": self = .raster(.webp)
        case "avif": self = .raster(.avif)
        default:
            throw SheetError(.badOptions, "\"\(path)\": the name must end in .png, .jpg, .webp, .avif or .pdf, which says what to write")
        }
    }

    /// The longest side that a file of this format can have, in pixels.
    var maximumSide: Int {
        switch self {
        case .pdf: .max
        case .raster(.webp): 16_383
        // What the encoders behind libvips take.
        case .raster(.avif): 16_384
        case .raster(.jpeg): 65_500
        case .raster: 10_000_000
        }
    }
}
