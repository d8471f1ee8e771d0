import Core

@testable import Commands

/// A command line of two verbs with a flag of each kind, against which the framework is tested.
extension Flags {
    static let sizes = Flag(
        "sizes", short: "s", .commaList(of: .size, "SIZES"), default: ["w185", "w342"], "Sizes to fetch, with commas between", in: .pictures
    )
    static let top = Flag.optional("top", .integer(1...10_000), "The first N titles of each list", in: .pictures)
    static let pages = Flag.optional("pages", .integer(1...500), "The first N pages of each list", in: .pictures)
    static let recipe = Flag.repeated(
        "recipe", .text("RECIPE"), defaultText: "cover,radius=10%,webp", "How thumbnails are made of the originals", in: .pictures)
    static let concurrency = Flag(
        "concurrency", short: "c", .integer(1...256), default: 16, "Downloads in flight at once", in: .network)
    static let deadline = Flag("deadline", .duration(), default: .seconds(600), "How long the run may take", in: .network)
    static let heed = Flag.switch("heed", default: true, negatable: true, "Heed the host's limits", in: .network)
    static let keyFile = Flag.optional("key-file", .existingFile, "File with the API key", in: .network, environment: false)
    static let cache = Flag(
        "cache", .directory, defaultText: "$XDG_CACHE_HOME/posterity", "Where pictures are kept",
        fallback: { environment throws(UsageError) in try environment.defaultCacheDirectory() })
    static let format = Flag("format", .choice(Format.allCases, "FORMAT"), default: .png, "What kind of picture to write")

    enum Format: String, Sendable, CaseIterable {
        case png, jpeg, webp, pdf
    }
}

extension FlagGroup {
    static let pictures = FlagGroup("Pictures")
    static let network = FlagGroup("Network")
}

let lists = Positional.any(
    "LIST", .text("LIST").offering(["trending/movie/week", "movie/popular"]), default: ["trending/movie/week"], "A path of the API")
let run = Positional.optional("RUN", .text("RUN"), defaultText: "the latest", "The run's name")

/// Prints what it was given, so that tests see it.
let mirror = Verb(
    "mirror", "Mirror the posters of lists into the cache",
    discussion: """
        Fetches every poster of the lists in every size, verifies it, makes thumbnails of it, and keeps all of it in the cache.

        What is fresh is not fetched again.
        """,
    positionals: [lists],
    flags: [
        Flags.sizes, Flags.top, Flags.pages, Flags.recipe, Flags.concurrency, Flags.deadline, Flags.heed, Flags.keyFile, Flags.cache,
    ],
    exclusive: [[Flags.top, Flags.pages]],
    examples: [Verb.Example("posterity mirror --top 20 movie/popular", "The twenty most popular movies:")]
) { arguments, context in
    try context.output.writeLine("lists \(arguments[lists].joined(separator: "|"))")
    try context.output.writeLine("sizes \(arguments[Flags.sizes].joined(separator: "|"))")
    try context.output.writeLine("concurrency \(arguments[Flags.concurrency])")
    context.log.info("mirrored")
    context.log.debug("in detail")
    return .done
}

let sheet = Verb(
    "sheet", "Draw a contact sheet of a run", positionals: [run], flags: [Flags.cache, Flags.format]
) { arguments, context in
    throw SheetError()
}

struct SheetError: ExitCoded, CustomStringConvertible {
    let description = "the cache is full"
    let exitCode = ExitCode.cacheTrouble
}

let sample = Program(version: "1.2.3", summary: "Mirror film posters", discussion: "It keeps film posters.", verbs: [mirror, sheet])

/// What the sample program did with a command line.
struct Outcome {
    var status: Int32
    var output: String
    var errors: String
}
