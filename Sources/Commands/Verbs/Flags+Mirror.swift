internal import Amodb
internal import Core
internal import Imaging
internal import Mirroring

extension FlagGroup {
    static let what = FlagGroup("What to mirror")
    static let how = FlagGroup("How")
    static let hosts = FlagGroup("Hosts and key")
}

extension Flags {
    // What to mirror
    static let pages = Flag<Int?>.optional(
        "pages", .integer(1...500), defaultText: "1", "So many pages of each list, 20 titles a page", in: .what)
    static let top = Flag<Int?>.optional("top", .integer(1...10_000), "So many titles from the top of each list", in: .what)
    static let sizes = Flag(
        "sizes", .commaList(of: .posterSize, "SIZES"), default: PosterSize.standard, "Sizes to have of each poster", in: .what)
    static let language = Flag(
        "language", .language, default: "en-US",
        "Language of the titles and their posters; `posterity languages` lists them, any other is answered in English", in: .what)
    static let details = Flag<[DetailPart]>(
        "details", .commaList(of: .choice(DetailPart.allCases, "PART"), "PARTS"), default: [], defaultText: "none",
        "Ask for more of each title too, one request each: credits, ratings", in: .what)
    static let recipe = Flag<[Recipe]>.repeated(
        "recipe", .recipe, defaultText: "\(Recipe.standard)",
        "What to make of each original, such as cover,radius=10%,webp (see docs/recipes.md); may be given several times", in: .what)
    static let deriveFrom = Flag<PosterSize?>.optional(
        "derive-from", .posterSize, "Fetch only this size, and make the renditions of every size from it", in: .what)

    // How
    static let cache = Flag<String>(
        "cache", .directory, defaultText: "$XDG_CACHE_HOME/posterity, else ~/.cache/posterity", "The cache directory", in: .how
    ) { (environment) throws(UsageError) in try environment.defaultCacheDirectory() }
    static let refresh = Flag.switch("refresh", "Ask again for lists, details and pictures that are still fresh", in: .how)
    static let retryMissing = Flag.switch(
        "retry-missing", "Ask again for pictures, and titles' details, that were not there (404) within the last day", in: .how)
    static let retryFailed = Flag.switch(
        "retry-failed", "Ask only for what failed in the latest run of the list, whose titles are used again", in: .how)
    static let deadline = Flag<Duration?>.optional(
        "deadline", .duration(atLeast: .seconds(1)), defaultText: "none",
        "End the run after this time, such as 10m, and leave the rest to the next", in: .how)
    static let concurrency = Flag("concurrency", .integer(1...256), default: 16, "Downloads in flight", in: .how)
    static let renderThreads = Flag<Int>(
        "render-threads", .integer(1...256), defaultText: "one a core", "Threads that decode and encode pictures", in: .how
    ) { (_) throws(UsageError) in ProcessorCount.available }
    static let dryRun = Flag.switch("dry-run", short: "n", "Say what would be fetched and made, and touch nothing", in: .how)

    // Hosts and key
    static let keyFile = Flag<String?>.optional(
        "key-file", .existingFile, defaultText: "the variable AMODB_KEY", "File that holds the API key", in: .hosts)
    static let api = Flag("api", .url, default: "https://api.amodb.dev/3", "The movie API", in: .hosts)
    static let images = Flag("images", .url, default: "https://img.amodb.dev/t/p", "The image host", in: .hosts)
    static let pace = Flag<Int?>.optional(
        "requests-per-minute", .integer(1...100_000), defaultText: "20, the smallest plan's; no limit on this machine",
        "Requests that the API key allows in any 60 seconds; all processes that share the cache count together", in: .hosts)
    static let insecureHTTP = Flag.switch("insecure-http", "Allow plain http to hosts other than this machine", in: .hosts)
    static let certificateAuthorities = Flag<String?>.optional(
        "ca-file", .existingFile, defaultText: "the system's", "Certificate authorities to trust, as PEM", in: .hosts)

    static let json = Flag.switch("json", "Print the result as JSON", in: .output)
}
