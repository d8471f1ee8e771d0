package import Core

/// What happens during a run, for a progress bar or a log.
package enum MirrorEvent: Sendable {
    /// The lists are read; this many pictures are to be seen to.
    case planned(titles: Int, pictures: Int)
    /// One picture is done with.
    case finished(PictureOutcome, bytes: ByteCount)
}

/// How it went with one picture: one poster in one size.
package enum PictureOutcome: Sendable, Equatable {
    /// The copy that is kept is fresh; the host was not asked.
    case fresh
    /// The host was asked, and says that the copy is still right.
    case unchanged
    /// Downloaded, verified and kept.
    case fetched
    /// The host's present picture could not be had; the earlier copy stays.
    case kept(Manifest.Missing)
    /// Not to be had, and there is no earlier copy.
    case missing(Manifest.Missing)

    /// Why the picture could not be had; nil when all is well.
    package var failure: Manifest.Missing? {
        switch self {
        case .fresh, .unchanged, .fetched: nil
        case .kept(let why), .missing(let why): why
        }
    }
}
