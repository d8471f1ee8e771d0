internal import Core
internal import Drawing
internal import Imaging
internal import Mirroring

/// A poster, read and checked, in the form that the sheet's canvas takes.
enum SheetPicture: Sendable {
    /// For a PDF: the original's bytes as they are.
    case jpeg([UInt8], header: JPEGHeader, digest: Digest)
    case pixels(PixelBuffer)
}

extension Manifest.Poster {
    /// A file in the cache that this poster can be drawn from.
    struct Source: Sendable, Equatable {
        let path: String
        let digest: Digest
        let widthPixels: Int
        let isPlausible: Bool
    }

    /// The poster's files, the best first for a place `pixels` wide: the smallest that is wide enough, then wider ones, then the widest of
    /// those that are too small. Renditions, whose corners are already cut, only where there is no original.
    func sources(forWidth pixels: Double) -> [Source] {
        let originals = sizes.values.compactMap(\.original).map {
            Source(
                path: $0.path, digest: $0.digest, widthPixels: $0.width,
                isPlausible: Manifest.isPlausiblePicture(width: $0.width, height: $0.height, bytes: $0.bytes))
        }
        let renditions = sizes.values.flatMap(\.renditions).map {
            Source(
                path: $0.path, digest: $0.digest, widthPixels: $0.width,
                isPlausible: Manifest.isPlausiblePicture(width: $0.width, height: $0.height, bytes: $0.bytes))
        }
        return Self.ordered(originals, pixels) + Self.ordered(renditions, pixels)
    }

    private static func ordered(_ sources: [Source], _ pixels: Double) -> [Source] {
        // A picture a little too small is not seen to be, and much smaller to carry.
        let enough = pixels * 0.95
        let sorted = sources.sorted { ($0.widthPixels, $0.path) < ($1.widthPixels, $1.path) }
        return sorted.filter { Double($0.widthPixels) >= enough } + sorted.filter { Double($0.widthPixels) < enough }.reversed()
    }
}
