extension Verb {
    private static let shell = Positional.one("SHELL", .choice(Shell.allCases, "SHELL"), "bash, zsh or fish")

    /// `posterity completion SHELL`.
    static let completion = Verb(
        "completion", in: .about, "Print the script that completes words in a shell",
        discussion: "The script knows every verb and flag, and the values of those that have few.",
        positionals: [shell],
        examples: [
            Example("posterity completion bash > /etc/bash_completion.d/posterity", "For every user's bash:"),
            Example("source <(posterity completion zsh)", "In ~/.zshrc, after compinit:"),
            Example("posterity completion fish > ~/.config/fish/completions/posterity.fish", "For fish:"),
        ]
    ) { arguments, context in
        try context.output.write(arguments[shell].completionScript(for: context.program))
        return .done
    }
}

/// A shell that words can be completed in.
package enum Shell: String, Sendable, CaseIterable {
    case bash, zsh, fish

    /// The script for the shell's start-up, made from the table of verbs and flags.
    package func completionScript(for program: Program) -> String {
        switch self {
        case .bash: BashCompletion.script(for: program)
        case .zsh: ZshCompletion.script(for: program)
        case .fish: FishCompletion.script(for: program)
        }
    }

    /// `text` as one word of any of the shells.
    static func quoted(_ text: String) -> String {
        "'" + text.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
    }
}

extension FlagFacts {
    /// Every way to write the flag: `-s`, `--sizes`, `--no-colour`.
    var spellings: [String] {
        (short.map { ["-\($0)"] } ?? []) + ["--" + name] + (isNegatable ? ["--no-" + name] : [])
    }
}

extension Verb {
    /// What the verb's positional arguments can be. Verbs have at most one kind that a shell can help with.
    func positionalCompletion(in program: Program) -> ValueCompletion {
        if name == Verb.help.name { return .values(program.verbs.map(\.name)) }
        return positionals.map(\.facts.completion).first { $0 != .nothing } ?? .nothing
    }
}
