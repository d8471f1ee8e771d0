internal import CVips
internal import Core
internal import Glibc

/// Takes a large drawing strip by strip, from the top, so that it is never in memory as a whole. Made by ``Renderer/encodeStrips(widthPixels:heightPixels:as:quality:background:scratchDirectory:_:)``.
///
/// The strips wait in a file of 3 bytes a pixel, which has no name as soon as it is open, so that nothing is left behind however the process
/// ends. PNG and JPEG are then written from it row by row, while WebP and AVIF need the whole picture
/// in memory by their nature.
package struct StripEncoder: ~Copyable {
    private let descriptor: Int32
    private let directory: String
    private let width: Int
    private let height: Int
    private let background: Recipe.RGB
    private var rowsTaken = 0

    fileprivate init(in directory: String, width: Int, height: Int, background: Recipe.RGB) throws(ImagingError) {
        let path = "\(directory)/.posterity-strips-\(String(UInt64.random(in: .min ... .max), radix: 36))"
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw ImagingError(.renderFailed, "cannot make a file in \(directory): \(systemText(errno))")
        }
        unlink(path)
        self.directory = directory
        self.width = width
        self.height = height
        self.background = background
    }

    deinit {
        close(descriptor)
    }

    /// By this name the file can be opened while this lives.
    fileprivate var path: String { "/proc/self/fd/\(descriptor)" }

    /// Adds a strip below those before it.
    ///
    /// - Precondition: the strip is as wide as the drawing, and the strips together no higher.
    package mutating func append(_ strip: PixelBuffer) throws(ImagingError) {
        precondition(strip.widthPixels == width && rowsTaken + strip.heightPixels <= height, "a strip that stands out of the drawing")
        let rows = Raster(strip).flattened(on: background)
        var rest = UnsafeRawBufferPointer(rows.bytes)
        while !rest.isEmpty {
            let written = write(descriptor, rest.baseAddress, rest.count)
            if written < 0 {
                if errno == EINTR { continue }
                throw ImagingError(.renderFailed, "cannot write to a file in \(directory): \(systemText(errno))")
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        }
        rowsTaken += strip.heightPixels
    }

    fileprivate var isFull: Bool { rowsTaken == height }
}

package extension Renderer {
    /// Encodes a drawing of any height that `body` hands over in strips.
    ///
    /// - Parameters:
    ///   - background: what shows through where the strips are transparent.
    ///   - scratchDirectory: must have room for 3 bytes a pixel meanwhile.
    /// - Precondition: `body` has appended all the rows.
    func encodeStrips(
        widthPixels: Int, heightPixels: Int, as format: ImageFormat, quality: Int? = nil, background: Recipe.RGB = .white,
        scratchDirectory: String, _ body: (inout StripEncoder) async throws -> Void
    ) async throws -> [UInt8] {
        var strips = try StripEncoder(in: scratchDirectory, width: widthPixels, height: heightPixels, background: background)
        try await body(&strips)
        precondition(strips.isFull, "a drawing of which rows are missing")
        let path = strips.path
        let bytes = try await onThread(making: "a \(format.name) picture of \(widthPixels) × \(heightPixels) pixels") {
            () throws(LibVips.Failure) in
            try Encoder(format, quality: quality).encode(VipsPicture(rowsIn: path, width: widthPixels, height: heightPixels))
        }
        _ = consume strips
        return bytes
    }

    /// Writes a drawing of any height, handed over in strips, to a file as PNG or JPEG, of which no more than some rows are in memory at once.
    ///
    /// - Parameters as for ``encodeStrips(widthPixels:heightPixels:as:quality:background:scratchDirectory:_:)``; `path` is written over.
    ///   `hasPalette` makes a PNG of 256 colours, a quarter of the size, for which the whole picture is in memory.
    /// - Precondition: `body` has appended all the rows, and `format` is one of the two that are written row by row.
    func writeStrips(
        widthPixels: Int, heightPixels: Int, as format: ImageFormat, quality: Int? = nil, hasPalette: Bool = false,
        background: Recipe.RGB = .white, scratchDirectory: String, to path: String, _ body: (inout StripEncoder) async throws -> Void
    ) async throws {
        precondition(format == .png || format == .jpeg, "a format that needs the whole picture")
        var strips = try StripEncoder(in: scratchDirectory, width: widthPixels, height: heightPixels, background: background)
        try await body(&strips)
        precondition(strips.isFull, "a drawing of which rows are missing")
        let (scratch, quality) = (strips.path, quality ?? format.defaultQuality ?? 100)
        try await onThread(making: "a \(format.name) picture of \(widthPixels) × \(heightPixels) pixels") { () throws(LibVips.Failure) in
            let picture = try VipsPicture(rowsIn: scratch, width: widthPixels, height: heightPixels)
            try picture.written { image in
                switch (format, hasPalette) {
                case (.jpeg, _): posterity_save_jpeg_file(image, path, Int32(quality))
                case (_, true): posterity_save_palette_png_file(image, path, 6)
                case (_, false): posterity_save_png_file(image, path, 6)
                }
            }
        }
        _ = consume strips
    }
}
