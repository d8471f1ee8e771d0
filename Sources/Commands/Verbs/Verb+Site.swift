internal import Core
internal import Glibc
internal import Imaging
internal import Mirroring
internal import Reports
internal import Storage

extension FlagGroup {
    static let publishing = FlagGroup("Publishing")
}

extension Flags {
    static let siteDirectory = Flag<String>(
        "output", short: "o", .directory, defaultText: "site", "Folder to publish, replaced as a whole", in: .publishing, environment: false
    ) { (_) throws(UsageError) in "site" }
    static let maximumMissing = Flag<MissingAllowance>(
        "max-missing", .missingAllowance, default: .percent(10), defaultText: "10%",
        "Publish nothing when more titles than this have no picture: a number, or a share such as 10%", in: .publishing)
    static let baseURL = Flag<SiteAddress?>.optional(
        "base-url", .siteAddress, "Where the site will be reached, for absolute links in its feeds", in: .publishing)
    static let weeks = Flag("weeks", .integer(1...520), default: 12, "Weeks to keep pages of, this one included", in: .publishing)
    static let dataOnly = Flag.switch("data-only", "Write only posters.json and the pictures, for a site generator", in: .publishing)
    static let layout = Flag<String?>.optional(
        "layout", .text("PATTERN"), defaultText: "{digest}.{ext}", "Names of the pictures, such as {rank:03}-{slug}-{width}.{ext}",
        in: .publishing)
    static let ascii = Flag.switch("ascii", "With --layout: write names in ASCII", in: .publishing)
    static let noIndex = Flag.switch("no-index", "Ask search engines not to list the pages", in: .publishing)
}

extension ValueParser where Value == MissingAllowance {
    static var missingAllowance: ValueParser {
        ValueParser("SHARE") { text in
            guard let allowance = MissingAllowance(text) else { throw ValueError("is neither a number of titles nor a share such as 10%") }
            return allowance
        }
    }
}

extension ValueParser where Value == SiteAddress {
    static var siteAddress: ValueParser {
        ValueParser("URL") { text in try SiteAddress(text) }
    }
}

extension Verb {
    /// `posterity site [RUN] -o DIR`.
    static let site = Verb(
        "site", "Publish a run as a static site",
        discussion: """
            Writes a folder that any web server or object store serves: pages, pictures, feeds, the manifest and a contact sheet, without
            scripts, and without requests to any other host. The folder is published whole or not at all, and files that are right already are
            not written again. Of a run with details (`posterity mirror --details`) it shows runtime, genres, who made it, and whose score it is.
            When too many titles have no picture, nothing is published and the exit code is 3;
            it is 3 too when the site is published and the cache has lost a picture of the run.
            """,
        positionals: [runName],
        flags: [
            Flags.siteDirectory, Flags.cache, Flags.heading, Flags.weeks, Flags.maximumMissing, Flags.baseURL, Flags.dataOnly, Flags.layout,
            Flags.ascii, Flags.noIndex, Flags.score, Flags.noMovement, Flags.renderThreads,
        ],
        examples: [
            Example("posterity site -o public", "The latest run:"),
            Example(
                "posterity site -o data --data-only --layout '{rank:03}-{slug}-{width}.{ext}'",
                "Data and friendly names for a site generator:"),
        ]
    ) { arguments, context in
        let options = try siteOptions(arguments)
        let root = arguments[Flags.cache]
        let (manifest, inputs) = try await Cache.withCache(at: root, access: .readOnly, clock: .system, log: context.log) { cache in
            let manifest = try await RunLibrary(cache).run(arguments[runName])
            return (manifest, await digestOfInputs(of: manifest, in: cache, options: options, version: context.program.version))
        }
        // Reading the earlier runs takes longer than all else that is to be done for a site that has not changed.
        if let inputs, await StaticSite.isCurrent(options, cacheRoot: root, inputs: inputs) {
            context.log.info("\(options.directory): nothing has changed")
            if !arguments[Flags.quiet] { try context.output.writeLine(options.directory) }
            return .done
        }
        let earlier = try await Cache.withCache(at: root, access: .readOnly, clock: .system, log: context.log) { cache in
            try await RunLibrary(cache).history(of: manifest, weeks: max(options.weeks, sheetHistoryWeeks))
        }
        let report = try await Renderer.withRenderer(threads: arguments[Flags.renderThreads]) { renderer in
            try await StaticSite.publish(
                manifest, earlier: earlier, cacheRoot: root, options: options,
                sheet: .contactSheet(cacheRoot: root, options: sheetOptions(of: options), renderer: renderer, log: context.log),
                inputs: inputs, log: context.log)
        }
        if report.isUnchanged {
            context.log.info("\(report.directory): nothing has changed")
        } else {
            context.log.info(
                "\(report.directory): \(report.filesWritten) files written (\(report.bytesWritten)), \(report.filesKept) kept")
        }
        if !arguments[Flags.quiet] { try context.output.writeLine(report.directory) }
        return report.lost.isEmpty ? .done : .incomplete
    }

    /// Stands for all that a site is made from: the run, the runs before it (a run's file is written once, so their names do), what the site
    /// is to be, and the program. Nil when the run's file cannot be read by its own name.
    private static func digestOfInputs(of manifest: Manifest, in cache: Cache, options: SiteOptions, version: String) async -> Digest? {
        guard let json = try? await cache.readRun(named: manifest.run), let names = try? await cache.runNames() else { return nil }
        var options = options
        options.directory = ""
        var program = stat()
        stat("/proc/self/exe", &program)
        let facts =
            [version, "\(program.st_size) \(program.st_mtim.tv_sec)", "\(options)", Digest(of: json).hex]
            + names.filter { $0 < manifest.run }
        return Digest(of: facts.joined(separator: "\n").utf8)
    }

    private static func siteOptions(_ arguments: Arguments) throws -> SiteOptions {
        var options = SiteOptions(directory: arguments[Flags.siteDirectory])
        options.title = arguments[Flags.heading]
        options.baseURL = arguments[Flags.baseURL]
        options.weeks = arguments[Flags.weeks]
        options.maximumMissing = arguments[Flags.maximumMissing]
        options.isDataOnly = arguments[Flags.dataOnly]
        if let pattern = arguments[Flags.layout] { options.layout = try AssetLayout(pattern, isASCII: arguments[Flags.ascii]) }
        options.allowsIndexing = !arguments[Flags.noIndex]
        options.showsMovement = !arguments[Flags.noMovement]
        options.score = arguments[Flags.score]
        return options
    }

    private static func sheetOptions(of site: SiteOptions) -> SheetOptions {
        var options = SheetOptions.ofSite
        options.title = site.title
        options.showsMovement = site.showsMovement
        options.score = site.score
        return options
    }
}

extension SiteError: ExitCoded {
    package var exitCode: ExitCode {
        switch self {
        case .tooManyMissing, .noTitles: .incomplete
        case .badOption: .usage
        case .notOurs, .badDirectory, .damagedPicture, .sheetFailed, .system, .cancelled: .failed
        }
    }
}
