internal import Core
internal import Mirroring
internal import Storage

extension Flags {
    static let removePin = Flag.switch("remove", "Let go of the run again", environment: false)
}

extension Verb {
    private static let pinnedRun = Positional<String>.one(
        "RUN", .text("RUN"), "A run's name or how it begins, an ISO week such as 2026-W49, or a list")

    /// `posterity pin RUN`.
    static let pin = Verb(
        "pin", in: .care, "Keep a run and its pictures for good",
        discussion: "What a pinned run names is never pruned, however old it is. `posterity runs` shows which runs are pinned.",
        positionals: [pinnedRun], flags: [Flags.removePin, Flags.cache, Flags.json],
        examples: [
            Example("posterity pin 2026-W49", "Keep the latest run of a week:"),
            Example("posterity pin --remove 2026-W49", "Let go of it again:"),
        ]
    ) { arguments, context in
        let isPinned = !arguments[Flags.removePin]
        let (run, wasPinned) = try await withCache(arguments, context, .readWrite) { cache in
            let pinned = try await cache.pinnedRuns()
            // A pin can outlive its run's file; then only its name is left to go by.
            let run =
                pinned.contains(arguments[pinnedRun]) ? arguments[pinnedRun] : try await RunLibrary(cache).run(arguments[pinnedRun]).run
            let wasPinned = pinned.contains(run)
            try await cache.setPinned(isPinned, run: run)
            return (run, wasPinned)
        }
        if arguments[Flags.json] {
            struct Machine: Encodable {
                let run: String
                let pinned: Bool
            }
            try context.output.write(JSONText.encode(Machine(run: run, pinned: isPinned)))
        } else {
            let already = isPinned == wasPinned ? "already " : ""
            try context.output.writeLine("\(run): \(already)\(isPinned ? "pinned" : "not pinned")")
        }
        return .done
    }
}
