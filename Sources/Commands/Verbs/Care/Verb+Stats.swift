internal import Core
internal import Storage

extension Verb {
    /// `posterity stats`.
    static let stats = Verb(
        "stats", in: .care, "Say how much there is of what in the cache",
        flags: [Flags.cache, Flags.json]
    ) { arguments, context in
        let statistics = try await withCache(arguments, context) { cache in try await cache.statistics() }
        let report = StatisticsReport(statistics, cache: arguments[Flags.cache])
        try context.output.write(arguments[Flags.json] ? JSONText.encode(report) : Array(report.text.utf8))
        return .done
    }
}

/// What `posterity stats` prints.
private struct StatisticsReport: Encodable {
    private struct Amount: Encodable {
        let objects: Int
        let bytes: ByteCount

        init(_ amount: CacheStatistics.Amount) {
            (objects, bytes) = (amount.objects, amount.bytes)
        }
    }

    private let cache: String
    private let all: Amount
    private let originals: Amount
    private let renditions: Amount
    private let byExtension: [String: Amount]
    private let urls: Int
    private let failures: Int
    private let runs: Int
    private let pinnedRuns: Int
    private let indexBytes: ByteCount
    private let damaged: Int

    init(_ statistics: CacheStatistics, cache: String) {
        self.cache = cache
        all = Amount(statistics.all)
        originals = Amount(statistics.originals)
        renditions = Amount(statistics.renditions)
        byExtension = statistics.byExtension.mapValues(Amount.init)
        (urls, failures, runs, pinnedRuns) = (statistics.urls, statistics.failures, statistics.runs, statistics.pinnedRuns)
        (indexBytes, damaged) = (statistics.indexBytes, statistics.damaged)
    }

    var text: String {
        var table = TextTable([("", .left), ("objects", .right), ("bytes", .right)])
        func add(_ name: String, _ amount: Amount) { table.add([name, "\(amount.objects)", "\(amount.bytes)"]) }
        add("originals", originals)
        add("renditions", renditions)
        for (suffix, amount) in byExtension.sorted(by: { $0.key < $1.key }) { add(suffix.isEmpty ? "no extension" : ".\(suffix)", amount) }
        add("all", all)
        let setAside = damaged > 0 ? "\nset aside   \(damaged) damaged files" : ""
        return """
            \(cache.printable)

            \(table.text)
            runs        \(runs), \(pinnedRuns) pinned
            URLs        \(urls) with a picture, \(failures) that failed the last time
            index       \(indexBytes)\(setAside)

            """
    }
}
