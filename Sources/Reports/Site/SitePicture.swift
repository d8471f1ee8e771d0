internal import Core
internal import Mirroring

/// One picture file that a site may show.
struct SitePicture: Sendable, Equatable {
    let digest: Digest
    /// Relative to the cache.
    let cachePath: String
    let byteCount: Int
    let width: Int
    let height: Int
    let mediaType: String

    var fileExtension: String {
        let tail = cachePath.split(separator: ".").last.map(String.init) ?? ""
        let isPlain = (1...5).contains(tail.utf8.count) && tail.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
        return isPlain ? tail : "bin"
    }

    /// Whether what the manifest says of it makes sense.
    var isPlausible: Bool {
        Manifest.isPlausiblePicture(width: width, height: height, bytes: byteCount) && mediaType.hasPrefix("image/")
    }

    init(_ rendition: Manifest.Rendition) {
        digest = rendition.digest
        cachePath = rendition.path
        byteCount = rendition.bytes
        width = rendition.width
        height = rendition.height
        mediaType = rendition.mediaType
    }

    init(_ original: Manifest.Original) {
        digest = original.digest
        cachePath = original.path
        byteCount = original.bytes
        width = original.width
        height = original.height
        mediaType = original.mediaType
    }
}

/// The same picture in several widths and one media type, narrowest first; never empty.
struct PictureSet: Sendable, Equatable {
    let mediaType: String
    let pictures: [SitePicture]

    var widest: SitePicture { pictures[pictures.count - 1] }

    /// What a manifest has to show for a title: one set for each media type, the one that every browser reads last.
    ///
    /// Of each size the first recipe's rendition is shown, with those that differ from it in format alone; originals only when there is no
    /// rendition at all. What should have been shown and is not available is told apart, for it must not go unsaid.
    static func sets(
        of poster: Manifest.Poster, sizes: [String], isAvailable: (SitePicture) -> Bool
    ) -> (sets: [PictureSet], lost: [SitePicture]) {
        let ordered = (sizes + poster.sizes.keys.sorted().filter { !sizes.contains($0) }).compactMap { poster.sizes[$0] }
        var pictures: [SitePicture] = []
        for size in ordered {
            guard let first = size.renditions.first else { continue }
            let look = Self.look(of: first)
            pictures += size.renditions.filter { Self.look(of: $0) == look }.map { SitePicture($0) }
        }
        var lost = pictures.filter { !$0.isPlausible || !isAvailable($0) }
        pictures.removeAll(where: lost.contains)
        if pictures.isEmpty {
            pictures = ordered.compactMap { $0.original.map { SitePicture($0) } }
            lost += pictures.filter { !$0.isPlausible || !isAvailable($0) }
            pictures.removeAll(where: lost.contains)
        }
        return (grouped(pictures), lost)
    }

    // MARK: - Private

    /// What a recipe makes, but for the format and how hard it is squeezed.
    private static func look(of rendition: Manifest.Rendition) -> [Substring] {
        let formats: Set<Substring> = ["jpeg", "png", "webp", "gif", "avif"]
        return rendition.recipe.split(separator: ",").filter { !formats.contains($0) && !$0.hasPrefix("q=") && !$0.hasPrefix("quality=") }
    }

    /// Browsers take the first type that they read, so the smallest come first.
    private static func grouped(_ pictures: [SitePicture]) -> [PictureSet] {
        let preference = ["image/avif", "image/webp"]
        let types = Set(pictures.map(\.mediaType)).sorted {
            (preference.firstIndex(of: $0) ?? preference.count, $0) < (preference.firstIndex(of: $1) ?? preference.count, $1)
        }
        return types.map { type in
            var byWidth: [Int: SitePicture] = [:]
            for picture in pictures where picture.mediaType == type && byWidth[picture.width] == nil { byWidth[picture.width] = picture }
            return PictureSet(mediaType: type, pictures: byWidth.values.sorted { $0.width < $1.width })
        }
    }
}
