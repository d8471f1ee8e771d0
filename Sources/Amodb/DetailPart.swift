/// What may be asked of a title beyond its runtime and genres.
package enum DetailPart: String, Sendable, Hashable, CaseIterable {
    /// Who made it, and who plays in it.
    case credits
    /// What is thought of it elsewhere.
    case ratings
}

/// One movie or series, by what the API knows it as.
package struct TitleID: Sendable, Hashable, CustomStringConvertible {
    /// `movie` or `tv`.
    package let mediaType: String
    package let id: Int

    package init(mediaType: String, id: Int) {
        self.mediaType = mediaType
        self.id = id
    }

    /// `movie/603`, which is its path in the API too.
    package var description: String { "\(mediaType)/\(id)" }
}

extension Title {
    package var identity: TitleID { TitleID(mediaType: mediaType, id: id) }
}
