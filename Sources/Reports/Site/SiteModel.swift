internal import Core
internal import Mirroring

/// What a site shows, worked out from manifests and nothing else: equal manifests give equal models.
struct SiteModel: Sendable {
    /// Newest first; the first is the one that `index.html` shows.
    let weeks: [Week]

    struct Week: Sendable {
        let manifest: Manifest
        let lists: [List]
        /// Whether there was an earlier run to compare with.
        let hasHistory: Bool

        var name: String { manifest.week }
        var titles: [Title] { lists.flatMap(\.titles) }
    }

    struct List: Sendable {
        /// The API's path.
        let path: String
        let heading: String
        let titles: [Title]
    }

    struct Title: Sendable {
        let record: Manifest.Title
        let name: DisplayText
        /// Nil when movement is not shown, or there was nothing to compare with.
        let movement: Movement?
        /// Whether no earlier run has it; in a first run that is every title.
        let isNew: Bool
        /// `#rrggbb`.
        let colour: String?
        /// A `data:` URI.
        let placeholder: String?
        /// Empty when there is no picture.
        let pictures: [PictureSet]
        /// What the manifest names for it and cannot be had.
        let lost: [SitePicture]
        /// Names the title within its page: `movie-603`.
        let anchor: String
        /// Nil when nobody has voted.
        let score: Score?
        /// Nil when there are none.
        let details: DetailTexts?
    }

    /// - Parameters:
    ///   - current: the run to show.
    ///   - earlier: runs before it, in any order; those of other lists or languages are left out.
    ///   - isAvailable: whether a picture can be published; one that cannot is as good as missing.
    init(current: Manifest, earlier: [Manifest], options: SiteOptions, isAvailable: (SitePicture) -> Bool) {
        let runs = [current.vetted] + Self.weeklyRuns(before: current, of: earlier).map(\.vetted)
        var weeks: [Week] = []
        for run in runs.prefix(max(1, options.weeks)) {
            // Movement counts runs that the archive leaves out, such as those of a larger set of lists.
            weeks.append(Self.week(of: run, history: earlier, options: options, isAvailable: isAvailable))
        }
        self.weeks = weeks
    }

    /// The runs of the same lists and language from weeks before, newest first: of each week the last complete run, or the last one.
    static func weeklyRuns(before current: Manifest, of earlier: [Manifest]) -> [Manifest] {
        var byWeek: [String: Manifest] = [:]
        for run in earlier
        where run.lists == current.lists && run.language == current.language && run.week < current.week && ISOWeek(run.week) != nil {
            guard let other = byWeek[run.week] else {
                byWeek[run.week] = run
                continue
            }
            let isBetter = run.complete == other.complete ? (run.startedAt, run.run) > (other.startedAt, other.run) : run.complete
            if isBetter { byWeek[run.week] = run }
        }
        return byWeek.values.sorted { $0.week > $1.week }
    }

    // MARK: - Private

    private static func week(
        of run: Manifest, history: [Manifest], options: SiteOptions, isAvailable: (SitePicture) -> Bool
    ) -> Week {
        let movements = Movements(of: run, history: history)
        let comparable = Set(run.lists.filter { Movements.predecessor(of: run, list: $0, in: history) != nil })
        var anchors: Set<String> = []
        var titles: [String: [Title]] = [:]
        for record in run.titles {
            let movement = movements[record]
            let kind = record.mediaType.filter { $0.isASCII && $0.isLetter }.lowercased()
            var anchor = "\(kind.isEmpty ? "title" : kind)-\(record.id)"
            while !anchors.insert(anchor).inserted { anchor += "-more" }
            let shown = record.poster.map { PictureSet.sets(of: $0, sizes: run.sizes, isAvailable: isAvailable) }
            titles[record.list, default: []].append(
                Title(
                    record: record, name: DisplayText(record.title, expectedLanguage: run.language),
                    movement: options.showsMovement ? movement : nil, isNew: movement == .new || !comparable.contains(record.list),
                    colour: record.poster?.colour.flatMap(validColour), placeholder: record.poster?.placeholder.flatMap(validPlaceholder),
                    pictures: shown?.sets ?? [], lost: shown?.lost ?? [], anchor: anchor,
                    score: Score(of: record, preferring: options.score), details: DetailTexts(record, expectedLanguage: run.language)))
        }
        let paths = run.lists + Set(titles.keys).subtracting(run.lists).sorted()
        let lists = paths.compactMap { path in titles[path].map { List(path: path, heading: ListName.heading(of: path), titles: $0) } }
        return Week(manifest: run, lists: lists, hasHistory: !comparable.isEmpty)
    }

    private static func validColour(_ text: String) -> String? {
        let isColour =
            text.utf8.count == 7 && text.hasPrefix("#") && text.utf8.dropFirst().allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        return isColour ? text.lowercased() : nil
    }

    private static func validPlaceholder(_ text: String) -> String? {
        text.hasPrefix("data:image/") && text.utf8.count <= 1_000 ? text : nil
    }
}
