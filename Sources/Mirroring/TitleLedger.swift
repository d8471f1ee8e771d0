/// Which titles have all that they wait for, in the order in which they are written down.
///
/// Pictures end in any order; their results are held only until the last title that has them is written, so that memory does not grow with the list.
struct TitleLedger {
    private let plan: MirrorPlan
    /// By poster, in the order of the sizes that are fetched.
    private var results: [Int: [PictureWorker.Result?]] = [:]
    /// Of each poster, how many titles that have it are yet to be written.
    private var usesLeft: [Int32]
    private var nextEntry = 0
    /// Pictures that have not ended yet.
    private(set) var openPictures: Int

    init(_ plan: MirrorPlan) {
        self.plan = plan
        openPictures = plan.pictureCount
        usesLeft = Array(repeating: 0, count: plan.posters.count)
        for entry in plan.entries { if let poster = entry.poster { usesLeft[poster] += 1 } }
    }

    /// - Precondition: a picture ends once.
    mutating func note(_ result: PictureWorker.Result, at place: MirrorPlan.Place) {
        let unknown = [PictureWorker.Result?](repeating: nil, count: plan.fetchedSizes.count)
        precondition(results[place.poster]?[place.size] == nil, "a picture that has ended before")
        results[place.poster, default: unknown][place.size] = result
        openPictures -= 1
    }

    /// Whether a picture has not ended yet.
    func isOpen(_ place: MirrorPlan.Place) -> Bool {
        // What is gone from here was written down.
        usesLeft[place.poster] > 0 && results[place.poster]?[place.size] == nil
    }

    /// Takes out the next title of which everything is known, with the results of its pictures; nil while there is none.
    mutating func takeNext() -> (entry: MirrorPlan.Entry, results: [PictureWorker.Result])? {
        guard nextEntry < plan.entries.count else { return nil }
        let entry = plan.entries[nextEntry]
        guard let poster = entry.poster else {
            nextEntry += 1
            return (entry, [])
        }
        guard let known = results[poster]?.compactMap({ $0 }), known.count == plan.fetchedSizes.count else { return nil }
        nextEntry += 1
        usesLeft[poster] -= 1
        if usesLeft[poster] == 0 { results[poster] = nil }
        return (entry, known)
    }
}
