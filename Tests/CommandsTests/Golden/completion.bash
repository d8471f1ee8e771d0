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
    '') _posterity_words 'mirror sheet completion help -q --quiet -v --verbose -h --help -V --version' ;;
    mirror)
        case "$prev" in
        -s|--sizes) _posterity_list 'w92 w154 w185 w342 w500 w780 original'; return ;;
        --top) :; return ;;
        --pages) :; return ;;
        --recipe) :; return ;;
        -c|--concurrency) :; return ;;
        --deadline) :; return ;;
        --key-file) _posterity_paths -f; return ;;
        --cache) _posterity_paths -d; return ;;
        esac
        case "$cur" in
        -*) _posterity_words '-s --sizes --top --pages --recipe -c --concurrency --deadline --heed --no-heed --key-file --cache -q --quiet -v --verbose -h --help' ;;
        *) _posterity_words 'trending/movie/week movie/popular' ;;
        esac
        ;;
    sheet)
        case "$prev" in
        --cache) _posterity_paths -d; return ;;
        --format) _posterity_words 'png jpeg webp pdf'; return ;;
        esac
        case "$cur" in
        -*) _posterity_words '--cache --format -q --quiet -v --verbose -h --help' ;;
        *) : ;;
        esac
        ;;
    completion)
        case "$prev" in
        esac
        case "$cur" in
        -*) _posterity_words '-q --quiet -v --verbose -h --help' ;;
        *) _posterity_words 'bash zsh fish' ;;
        esac
        ;;
    help)
        case "$prev" in
        esac
        case "$cur" in
        -*) _posterity_words '--man -q --quiet -v --verbose -h --help' ;;
        *) _posterity_words 'mirror sheet completion help' ;;
        esac
        ;;
    esac
}

complete -F _posterity posterity
