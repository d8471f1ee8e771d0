/// Completion for zsh, by `_arguments`.
enum ZshCompletion {
    static func script(for program: Program) -> String {
        var cases = ""
        for verb in program.verbs {
            let words =
                verb.allFlags.flatMap { specs($0.facts) } + [Shell.quoted("*:argument:" + action(verb.positionalCompletion(in: program)))]
            cases += "    \(verb.name))\n        _arguments -s -S \\\n"
            cases += words.map { "            " + $0 }.joined(separator: " \\\n") + "\n        ;;\n"
        }
        let verbs = program.verbs.map { "        " + Shell.quoted(escaped($0.name) + ":" + $0.summary) }.joined(separator: "\n")
        let leading = (Flags.everywhere + [Flags.version]).flatMap { specs($0.facts) }.joined(separator: " ")
        return """
            #compdef posterity
            # zsh completion of posterity; printed by `posterity completion zsh`.

            _posterity() {
                local -a verbs
                verbs=(
            \(verbs)
                )
                local index=2
                while (( index < CURRENT )) && [[ $words[index] == -* ]]; do (( index++ )); done
                if (( index >= CURRENT )); then
                    if [[ $words[CURRENT] == -* ]]; then
                        _arguments -s \(leading)
                    else
                        _describe verb verbs
                    fi
                    return
                fi
                local verb=$words[index]
                shift $(( index - 1 )) words
                (( CURRENT -= index - 1 ))
                case $verb in
            \(cases)    esac
            }

            if [[ $funcstack[1] == _posterity ]]; then
                _posterity "$@"
            else
                compdef _posterity posterity
            fi

            """
    }

    private static func specs(_ facts: FlagFacts) -> [String] {
        let value = facts.placeholder.map { ":\(escaped($0)):" + action(facts.completion) } ?? ""
        let others = facts.isRepeatable ? "*" : "(" + facts.spellings.joined(separator: " ") + ")"
        return facts.spellings.map { spelling in
            let equals = facts.placeholder != nil && spelling.hasPrefix("--") ? "=" : facts.placeholder != nil ? "+" : ""
            return Shell.quoted("\(others)\(spelling)\(equals)[\(escaped(facts.summary))]\(value)")
        }
    }

    private static func action(_ completion: ValueCompletion) -> String {
        switch completion {
        case .nothing: " "
        case .values(let values): "(" + values.map(escaped).joined(separator: " ") + ")"
        case .commaList(let values): "_sequence compadd - " + values.map(escaped).joined(separator: " ")
        case .files: "_files"
        case .directories: "_files -/"
        }
    }

    /// Brackets, colons and backslashes mean something in a spec.
    private static func escaped(_ text: String) -> String {
        text.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}
