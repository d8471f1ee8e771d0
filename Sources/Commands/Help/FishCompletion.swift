/// Completion for fish.
enum FishCompletion {
    static func script(for program: Program) -> String {
        var lines = ["# fish completion of posterity; printed by `posterity completion fish`.", "", "complete -c posterity -f"]
        let verbs = program.verbs.map(\.name).joined(separator: " ")
        let noVerb = "-n \(Shell.quoted("not __fish_seen_subcommand_from \(verbs)"))"
        for verb in program.verbs {
            lines.append("complete -c posterity \(noVerb) -a \(verb.name) -d \(quoted(verb.summary))")
        }
        for flag in Flags.everywhere + [Flags.version] { lines.append(contentsOf: completions(flag.facts, noVerb)) }
        for verb in program.verbs {
            let condition = "-n \(Shell.quoted("__fish_seen_subcommand_from \(verb.name)"))"
            for flag in verb.allFlags { lines.append(contentsOf: completions(flag.facts, condition)) }
            let words = action(verb.positionalCompletion(in: program))
            if !words.isEmpty { lines.append("complete -c posterity \(condition) \(words)") }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func completions(_ facts: FlagFacts, _ condition: String) -> [String] {
        let short = facts.short.map { " -s \($0)" } ?? ""
        let value = facts.placeholder == nil ? "" : " -r " + action(facts.completion)
        let line = "complete -c posterity \(condition) -l \(facts.name)\(short)\(value) -d \(quoted(facts.summary))"
        guard facts.isNegatable else { return [line] }
        return [line, "complete -c posterity \(condition) -l no-\(facts.name) -d \(quoted("Not: " + facts.summary))"]
    }

    private static func action(_ completion: ValueCompletion) -> String {
        switch completion {
        case .nothing: ""
        case .values(let values): "-a " + quoted(values.joined(separator: " "))
        case .commaList(let values): "-a " + quoted("(__fish_append , \(values.joined(separator: " ")))")
        case .files: "-F"
        case .directories: "-a '(__fish_complete_directories)'"
        }
    }

    /// Fish knows backslashes before quotes and backslashes inside single quotes.
    private static func quoted(_ text: String) -> String {
        "'" + text.map { "'\\".contains($0) ? "\\\($0)" : String($0) }.joined() + "'"
    }
}
