internal import Core
internal import Imaging
internal import Mirroring
internal import Reports
internal import Storage

extension FlagGroup {
    static let looks = FlagGroup("Looks")
}

extension Flags {
    static let sheetFile = Flag<String>(
        "output", short: "o", .file, defaultText: "sheet.png",
        "File to write; the end of its name says the format: .png .jpg .webp .avif .pdf",
        environment: false
    ) { (_) throws(UsageError) in "sheet.png" }
    static let heading = Flag<String?>.optional(
        "title", .text("TEXT"), defaultText: "the list's name", "Heading", in: .looks, environment: false)
    static let columns = Flag<Int?>.optional("columns", .integer(1...50), defaultText: "5, or as many as fit", "Columns", in: .looks)
    static let cellWidth = Flag<Int?>.optional(
        "cell-width", .integer(40...2_000), defaultText: "185, or what the page leaves",
        "Width of a poster, in pixels at scale 1 or points", in: .looks)
    static let gap = Flag<Int?>.optional(
        "gap", .integer(0...500), defaultText: "a seventh of the cell", "Space between posters", in: .looks)
    static let page = Flag<SheetOptions.Page>(
        "page", .choice(SheetOptions.Page.allCases, "PAGE"), default: .none, "Cut the sheet into pages: a4, letter, none", in: .looks)
    static let theme = Flag<SheetOptions.Theme>(
        "theme", .choice(SheetOptions.Theme.allCases, "THEME"), default: .light, "light or dark", in: .looks)
    static let captions = Flag<SheetOptions.Captions>(
        "captions", .choice(SheetOptions.Captions.allCases, "WHAT"), default: .full, "none, title, or full with year and score", in: .looks)
    static let scale = Flag("scale", .integer(1...4), default: 1, "Pixels per unit of a picture: 2 for dense screens", in: .looks)
    static let score = Flag<ScoreSource?>.optional(
        "score", .choice(ScoreSource.allCases, "SOURCE"), defaultText: "imdb where it is known",
        "Whose score to show: imdb, kinopoisk, metacritic, rotten_tomatoes, tmdb; where it has none, the next of imdb, tmdb, kinopoisk, rotten_tomatoes, metacritic, the list's own",
        in: .looks)
    static let noMovement = Flag.switch("no-movement", "Leave out the marks for new, up, down and back", in: .looks)
}

extension Verb {
    /// `posterity sheet [RUN] -o FILE`.
    static let sheet = Verb(
        "sheet", "Make a contact sheet of a run: a picture or a PDF",
        discussion: """
            Draws every title of a run with its poster, rank, year and score, and how it moved since the week before. Reads the cache alone,
            and never asks the network. In a PDF text stays text, and JPEG originals are embedded as they are.
            Of a run with details (`posterity mirror --details`) it shows runtime, director, and whose score it is.
            When the cache has lost a picture of the run, the sheet is made without it and the exit code is 3.
            """,
        positionals: [runName],
        flags: [
            Flags.sheetFile, Flags.cache, Flags.top, Flags.renderThreads, Flags.heading, Flags.columns, Flags.cellWidth, Flags.gap,
            Flags.page,
            Flags.theme, Flags.captions, Flags.score, Flags.scale, Flags.noMovement,
        ],
        examples: [
            Example("posterity sheet -o week.png", "The latest run:"),
            Example("posterity sheet 2026-W49 --page a4 --columns 6 -o week.pdf", "A week to print:"),
        ]
    ) { arguments, context in
        let options = sheetOptions(arguments)
        let root = arguments[Flags.cache]
        let (manifest, history) = try await run(arguments, context, weeks: options.showsMovement ? sheetHistoryWeeks : 0)
        let summary = try await Renderer.withRenderer(threads: arguments[Flags.renderThreads]) { renderer in
            try await ContactSheet.write(
                manifest, history: history, cache: root, options: options, to: arguments[Flags.sheetFile], renderer: renderer,
                log: context.log)
        }
        for path in summary.paths where !arguments[Flags.quiet] { try context.output.writeLine(path) }
        return summary.lost.isEmpty ? .done : .incomplete
    }

    /// A title that was away for longer than this counts as new again.
    static let sheetHistoryWeeks = 12

    /// The run that the command line means, and those before it.
    static func run(_ arguments: Arguments, _ context: Context, weeks: Int) async throws -> (Manifest, history: [Manifest]) {
        try await Cache.withCache(at: arguments[Flags.cache], access: .readOnly, clock: .system, log: context.log) { cache in
            let library = RunLibrary(cache)
            let manifest = try await library.run(arguments[runName])
            return (manifest, try await library.history(of: manifest, weeks: weeks))
        }
    }

    private static func sheetOptions(_ arguments: Arguments) -> SheetOptions {
        SheetOptions(
            columns: arguments[Flags.columns], cellWidth: arguments[Flags.cellWidth].map(Double.init),
            gap: arguments[Flags.gap].map(Double.init),
            page: arguments[Flags.page], theme: arguments[Flags.theme], captions: arguments[Flags.captions],
            scale: Double(arguments[Flags.scale]), title: arguments[Flags.heading], top: arguments[Flags.top],
            showsMovement: !arguments[Flags.noMovement], score: arguments[Flags.score])
    }
}

extension SheetError: ExitCoded {
    package var exitCode: ExitCode { code == .badOptions ? .usage : .failed }
}
