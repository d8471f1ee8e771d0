internal import Imaging
internal import Mirroring
internal import Storage

/// Which picture a target asks for: `/t/p/w342/abc.jpg`, or `/r/thumb/w342/abc.jpg`.
struct PictureAddress: Sendable, Hashable {
    private static let longestName = 120

    let size: PosterSize
    /// Such as `/abc.jpg`.
    let path: String
    /// What is to be made of it; nil for the original.
    let recipe: Recipe?

    /// - Parameters:
    ///   - words: what follows `/t/p/` or `/r/<name>/`.
    ///   - sizes: those that may be asked for.
    /// - Throws: 404 for everything that no picture could be called, so that nothing odd is asked of the image host.
    init(_ words: some Collection<String>, sizes: Set<PosterSize>, recipe: Recipe? = nil) throws(Problem) {
        let words = Array(words)
        guard words.count == 2, let size = PosterSize(words[0]), sizes.contains(size) else { throw .notFound }
        let name = words[1]
        guard name.utf8.count <= Self.longestName, name.utf8.first != UInt8(ascii: "."), name.utf8.allSatisfy(Self.isOfName) else {
            throw .notFound
        }
        self.size = size
        path = "/" + name
        self.recipe = recipe
    }

    /// The original that a rendition is made of.
    init(originalOf address: PictureAddress) {
        (size, path, recipe) = (address.size, address.path, nil)
    }

    /// What is to be made of the original.
    var recipes: [Recipe] { recipe.map { [$0] } ?? [] }

    /// Which of a source's pictures this is; nil when it is not made yet.
    func picture(of source: SourceRecord) -> StoredPicture? {
        guard let recipe else { return source.picture }
        return source.renditions[recipe.resolved(forWidth: size.widthPixels ?? source.picture.widthPixels).description]
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
