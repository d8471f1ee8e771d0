/// One of the things that the program does.
package struct Verb: Sendable {
    package struct Example: Sendable {
        package let command: String
        package let meaning: String

        package init(_ command: String, _ meaning: String) {
            self.command = command
            self.meaning = meaning
        }
    }

    package let name: String
    package let group: VerbGroup
    /// One line, without a full stop.
    package let summary: String
    /// Paragraphs with an empty line between; line breaks inside one are filled anew.
    package let discussion: String
    package let positionals: [any AnyPositional]
    package let flags: [any AnyFlag]
    /// Sets of flags of which at most one may be given.
    package let exclusive: [[any AnyFlag]]
    package let examples: [Example]
    /// How long it may take to stop when it is asked to, before the process ends regardless.
    package let grace: Duration
    /// Whether its log lines are queued, so that a standard error that nobody reads does not hold it up.
    package let isLogQueued: Bool
    package let run: @Sendable (Arguments, Context) async throws -> ExitCode

    /// - Parameter run: its task is cancelled by Ctrl-C, SIGTERM and SIGHUP. A verb that returns ``ExitCode/done`` all the same, as a
    ///   server does, ends with 0; else the status tells the signal.
    package init(
        _ name: String, in group: VerbGroup = .main, _ summary: String, discussion: String = "", positionals: [any AnyPositional] = [],
        flags: [any AnyFlag] = [], exclusive: [[any AnyFlag]] = [], examples: [Example] = [], grace: Duration = .milliseconds(900),
        isLogQueued: Bool = false,
        run: @escaping @Sendable (Arguments, Context) async throws -> ExitCode
    ) {
        self.name = name
        self.group = group
        self.summary = summary
        self.discussion = discussion
        self.positionals = positionals
        self.flags = flags
        self.exclusive = exclusive
        self.examples = examples
        self.grace = grace
        self.isLogQueued = isLogQueued
        self.run = run
    }

    /// The verb's own flags and those that every verb has.
    package var allFlags: [any AnyFlag] { flags + Flags.everywhere }

    /// The names of the flags that may not be given beside this one.
    func excluded(by facts: FlagFacts) -> [String] {
        exclusive.map { $0.map(\.facts.name) }.filter { $0.contains(facts.name) }.flatMap { $0.filter { $0 != facts.name } }
    }
}

/// The heading in the overview under which a verb stands.
package struct VerbGroup: Sendable, Hashable {
    package let heading: String

    package init(_ heading: String) {
        self.heading = heading
    }

    package static let main = VerbGroup("Verbs")
    package static let about = VerbGroup("About this program")
}
