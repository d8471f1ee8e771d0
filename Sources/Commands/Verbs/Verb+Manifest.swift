internal import Core
internal import Mirroring
internal import Storage

extension Verb {
    /// The run that a verb is about.
    static let runName = Positional<String?>.optional(
        "RUN", .text("RUN"), defaultText: "the latest", "A run's name or how it begins, an ISO week such as 2026-W49, or a list")

    /// `posterity manifest [RUN]`.
    static let manifest = Verb(
        "manifest", "Print the manifest of a run",
        discussion: """
            The manifest is JSON: the titles in rank order, each with its originals, renditions and placeholder, or the reason why there are
            none. Its shape is described in docs/manifest.schema.json; paths in it are relative to the cache.
            """,
        positionals: [runName], flags: [Flags.cache],
        examples: [
            Example("posterity manifest", "The latest run's:"),
            Example("posterity manifest 2026-W49", "The latest of a week:"),
        ]
    ) { arguments, context in
        let manifest = try await Cache.withCache(at: arguments[Flags.cache], access: .readOnly, clock: .system, log: context.log) { cache in
            try await RunLibrary(cache).run(arguments[runName])
        }
        try context.output.write(JSONText.encode(manifest))
        return .done
    }
}
