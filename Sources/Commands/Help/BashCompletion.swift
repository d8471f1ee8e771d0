/// Completion for bash 4 and later; needs nothing of the bash-completion package.
enum BashCompletion {
    static func script(for program: Program) -> String {
        var cases = ""
        for verb in program.verbs {
            cases += "    \(verb.name))\n        case \"$prev\" in\n"
            for facts in verb.allFlags.map(\.facts) where facts.placeholder != nil {
                cases += "        \(facts.spellings.joined(separator: "|"))) \(action(facts.completion)); return ;;\n"
            }
            let flags = verb.allFlags.flatMap(\.facts.spellings).joined(separator: " ")
            cases += """
                        esac
                        case "$cur" in
                        -*) _posterity_words \(Shell.quoted(flags)) ;;
                        *) \(action(verb.positionalCompletion(in: program))) ;;
                        esac
                        ;;

                """
        }
        let leading = (Flags.everywhere + [Flags.version]).flatMap(\.facts.spellings)
        let first = (program.verbs.map(\.name) + leading).joined(separator: " ")
        return """
            # bash completion of posterity; printed by `posterity completion bash`.

            _posterity_words() {
                mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
            }

            _posterity_list() {
                local head=${cur%"${cur##*,}"}
                compopt -o nospace 2>/dev/null
                mapfile -t COMPREPLY < <(compgen -P "$head" -W "$1" -- "${cur##*,}")
            }

            _posterity_paths() {
                compopt -o filenames 2>/dev/null
                mapfile -t COMPREPLY < <(compgen "$1" -- "$cur")
            }

            _posterity() {
                local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb= i
                COMPREPLY=()
                # Bash takes `=` for a word of its own.
                if [[ $cur == '=' ]]; then
                    cur=
                elif [[ $prev == '=' ]]; then
                    prev=${COMP_WORDS[COMP_CWORD-2]}
                fi
                for ((i = 1; i < COMP_CWORD; i++)); do
                    if [[ ${COMP_WORDS[i]} != -* ]]; then
                        verb=${COMP_WORDS[i]}
                        break
                    fi
                done
                case "$verb" in
                '') _posterity_words \(Shell.quoted(first)) ;;
            \(cases)    esac
            }

            complete -F _posterity posterity

            """
    }

    private static func action(_ completion: ValueCompletion) -> String {
        switch completion {
        case .nothing: ":"
        case .values(let values): "_posterity_words " + Shell.quoted(values.joined(separator: " "))
        case .commaList(let values): "_posterity_list " + Shell.quoted(values.joined(separator: " "))
        case .files: "_posterity_paths -f"
        case .directories: "_posterity_paths -d"
        }
    }
}
