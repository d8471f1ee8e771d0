internal import Core
internal import FoundationEssentials
internal import Mirroring
internal import Storage

extension Flags {
    static let keepRuns = Flag<Int?>.optional("keep-runs", .integer(1...1_000_000), "Keep the newest N runs of each list")
    static let keepWeeks = Flag<Int?>.optional(
        "keep-weeks", .integer(1...10_000), defaultText: "12, as many as a site shows",
        "Keep all runs of each list's newest N weeks that have any")
    static let olderThan = Flag<Duration?>.optional(
        "older-than", .duration(atMost: .seconds(36_600 * 86_400)), "Remove only what is older than this, such as 30d")
    static let maximumSize = Flag<ByteCount?>.optional(
        "max-size", .byteCount(), "Remove nothing while all objects together are no larger, else the oldest until they are")
    static let pruneDryRun = Flag.switch(
        "dry-run", short: "n", "Say what would be removed and how many bytes, and touch nothing", environment: false)
}

extension Verb {
    /// `posterity prune`.
    static let prune = Verb(
        "prune", in: .care, "Remove old runs, and pictures that nothing needs",
        discussion: """
            Keeps the runs that the flags say and those that are pinned, all that these name, and all that is fresh: what is left can be mirrored
            again without a request. Of each list at least the newest run stays. Safe beside a running mirror, which it does not disturb.
            """,
        flags: [Flags.keepRuns, Flags.keepWeeks, Flags.olderThan, Flags.maximumSize, Flags.pruneDryRun, Flags.cache, Flags.json],
        exclusive: [[Flags.keepRuns, Flags.keepWeeks]],
        examples: [
            Example("posterity prune --keep-weeks 8 --dry-run", "What would go?"),
            Example("posterity prune --keep-runs 1 --max-size 2GB", "As little as can be, once there are two gigabytes:"),
        ]
    ) { arguments, context in
        let dryRun = arguments[Flags.pruneDryRun]
        let cutoff = arguments[Flags.olderThan].map { Date(timeIntervalSinceNow: -Double($0.components.seconds)) }
        let rule = arguments[Flags.keepRuns].map { RunRetention.Rule.runs($0) } ?? .weeks(arguments[Flags.keepWeeks] ?? 12)
        let pruning = CachePruning(
            RunRetention(rule, since: cutoff), olderThan: cutoff, maximumBytes: arguments[Flags.maximumSize])
        let report = try await withCache(arguments, context, dryRun ? .readOnly : .readWrite) { cache in
            try await pruning.prune(cache, dryRun: dryRun)
        }
        for run in report.removedRuns { context.log.debug("runs/\(run).json") }
        for path in report.objects.removed { context.log.debug(path) }
        if let maximum = arguments[Flags.maximumSize], report.objects.keptBytes > maximum {
            context.log.warning("what must stay takes \(report.objects.keptBytes); to have less, keep fewer runs")
        }
        try context.output.write(arguments[Flags.json] ? json(report, dryRun) : Array(text(report, dryRun).utf8))
        return .done
    }

    private static func text(_ report: CachePruning.Report, _ dryRun: Bool) -> String {
        let objects = report.objects
        let kept = "\(count(report.keptRuns, "run")) and \(count(objects.keptObjects, "object")) (\(objects.keptBytes))"
        guard !objects.removed.isEmpty || !report.removedRuns.isEmpty else { return "Nothing to remove; there are \(kept).\n" }
        return """
            \(dryRun ? "Would remove" : "Removed") \(count(report.removedRuns.count, "run")) and \(count(objects.removed.count, "object")) \
            (\(objects.removedBytes)); \(kept) \(dryRun ? "would stay" : "stay").

            """
    }

    private static func json(_ report: CachePruning.Report, _ dryRun: Bool) throws -> [UInt8] {
        struct Machine: Encodable {
            let dryRun: Bool
            let removedRuns: [String]
            let removedObjects: [String]
            let removedBytes: ByteCount
            let keptRuns: Int
            let keptObjects: Int
            let keptBytes: ByteCount
        }
        return try JSONText.encode(
            Machine(
                dryRun: dryRun, removedRuns: report.removedRuns, removedObjects: report.objects.removed,
                removedBytes: report.objects.removedBytes, keptRuns: report.keptRuns, keptObjects: report.objects.keptObjects,
                keptBytes: report.objects.keptBytes))
    }
}
