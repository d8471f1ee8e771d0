package import Core

/// What happens during a run, for a progress bar or a log.
package enum MirrorEvent: Sendable {
    /// The lists are read; this many pictures are to be seen to.
    case planned(titles: Int, pictures: Int)
    /// One picture is done with.
    case finished(PictureOutcome, bytes: ByteCount)
    /// Of so many titles the details are to be asked for.
    case detailsPlanned(DetailsProgress)
    /// One title's details are done with.
    case detailsFinished(DetailsProgress)
    /// All pictures are done with; what goes on from here is for details alone.
    case picturesDone
}

/// How far a run is with the details of its titles.
package struct DetailsProgress: Sendable, Equatable {
    /// Titles to ask for.
    package var toAsk: Int
    package var done = 0
    /// Of those that are done.
    package var failed = 0
    /// How long those that are left have to wait for their turn, by what the plan allows; nil without a limit.
    package var wait: Duration?
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
