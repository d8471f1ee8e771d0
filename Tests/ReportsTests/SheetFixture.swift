import Core
import Drawing
import FoundationEssentials
import Imaging
import Mirroring

/// Runs and caches made up for tests of contact sheets.
enum SheetFixture {
    static let week = Date(iso8601: "2026-11-30T06:21:44Z")!

    /// A run of one list, without pictures.
    static func manifest(count: Int, names: [String] = []) -> Manifest {
        let titles = (0..<count).map { place in
            Manifest.Title(
                rank: place + 1, list: "trending/movie/week", id: 100 + place, mediaType: "movie",
                title: place < names.count ? names[place] : "Lantern \(place + 1)", year: 1980 + place % 40,
                score: Double(place % 100) / 10, poster: nil, missing: nil)
        }
        return Manifest(
            run: "20261130T062144Z-trending-movie-week", lists: ["trending/movie/week"], language: "en-US", week: "2026-W49",
            startedAt: week, finishedAt: week, complete: true, sizes: ["w185"], titles: titles)
    }

    /// A poster whose files are not there.
    static func poster(widths: [Int]) -> Manifest.Poster {
        var sizes: [String: Manifest.Size] = [:]
        for width in widths { sizes["w\(width)"] = size(path: "objects/\(width).jpg", bytes: [UInt8(width % 256)], width: width) }
        return Manifest.Poster(path: "/p.jpg", colour: nil, placeholder: nil, sizes: sizes)
    }

    /// Writes `bytes` into the cache at `root`, and gives the poster that names them.
    static func poster(_ bytes: [UInt8], in root: String, width: Int, format: ImageFormat = .jpeg) throws -> Manifest.Poster {
        let digest = Digest(of: bytes)
        let folder = "objects/" + digest.hex.prefix(2)
        try FileManager.default.createDirectory(atPath: root + "/" + folder, withIntermediateDirectories: true)
        let path = "\(folder)/\(digest.hex).\(format.fileExtension)"
        try Data(bytes).write(to: URL(filePath: root + "/" + path))
        let size = size(path: path, bytes: bytes, width: width, format: format)
        return Manifest.Poster(path: "/\(digest.hex.prefix(8)).jpg", colour: "#336699", placeholder: nil, sizes: ["w\(width)": size])
    }

    private static func size(path: String, bytes: [UInt8], width: Int, format: ImageFormat = .jpeg) -> Manifest.Size {
        Manifest.Size(
            original: Manifest.Original(
                url: "https://images.invalid/t/p/w\(width)/p.jpg", path: path, digest: Digest(of: bytes), bytes: bytes.count, width: width,
                height: Int((Double(width) * 1.5).rounded()), mediaType: format.mediaType, etag: nil, lastModified: nil, fetchedAt: week,
                freshUntil: week),
            renditions: [])
    }

    /// A poster's picture: a ground of one colour, an upper left quarter of another.
    static func picture(_ ground: Colour, corner: Colour, width: Int = 185, height: Int = 278) throws -> PixelBuffer {
        let canvas = try Canvas.raster(widthPixels: width, heightPixels: height)
        canvas.fill(with: ground)
        canvas.fill(.rectangle(Rectangle(x: 0, y: 0, width: Double(width) / 2, height: Double(height) / 2)), with: corner)
        return PixelBuffer(widthPixels: width, heightPixels: height, rgba: try canvas.rgba())
    }
}
