#compdef posterity
# zsh completion of posterity; printed by `posterity completion zsh`.

_posterity() {
    local -a verbs
    verbs=(
        'mirror:Mirror the posters of lists into the cache'
        'sheet:Draw a contact sheet of a run'
        'completion:Print the script that completes words in a shell'
        'help:Tell about a verb, or print the manual page'
    )
    local index=2
    while (( index < CURRENT )) && [[ $words[index] == -* ]]; do (( index++ )); done
    if (( index >= CURRENT )); then
        if [[ $words[CURRENT] == -* ]]; then
            _arguments -s '(-q --quiet)-q[Print errors only\: no progress, no summary]' '(-q --quiet)--quiet[Print errors only\: no progress, no summary]' '(-v --verbose)-v[Print what happens in detail, with the time elapsed]' '(-v --verbose)--verbose[Print what happens in detail, with the time elapsed]' '(-h --help)-h[Print this help]' '(-h --help)--help[Print this help]' '(-V --version)-V[Print the version]' '(-V --version)--version[Print the version]'
        else
            _describe verb verbs
        fi
        return
    fi
    local verb=$words[index]
    shift $(( index - 1 )) words
    (( CURRENT -= index - 1 ))
    case $verb in
    mirror)
        _arguments -s -S \
            '(-s --sizes)-s+[Sizes to fetch, with commas between]:SIZES:_sequence compadd - w92 w154 w185 w342 w500 w780 original' \
            '(-s --sizes)--sizes=[Sizes to fetch, with commas between]:SIZES:_sequence compadd - w92 w154 w185 w342 w500 w780 original' \
            '(--top)--top=[The first N titles of each list]:N: ' \
            '(--pages)--pages=[The first N pages of each list]:N: ' \
            '*--recipe=[How thumbnails are made of the originals]:RECIPE: ' \
            '(-c --concurrency)-c+[Downloads in flight at once]:N: ' \
            '(-c --concurrency)--concurrency=[Downloads in flight at once]:N: ' \
            '(--deadline)--deadline=[How long the run may take]:TIME: ' \
            '(--heed --no-heed)--heed[Heed the host'\''s limits]' \
            '(--heed --no-heed)--no-heed[Heed the host'\''s limits]' \
            '(--key-file)--key-file=[File with the API key]:FILE:_files' \
            '(--cache)--cache=[Where pictures are kept]:DIR:_files -/' \
            '(-q --quiet)-q[Print errors only\: no progress, no summary]' \
            '(-q --quiet)--quiet[Print errors only\: no progress, no summary]' \
            '(-v --verbose)-v[Print what happens in detail, with the time elapsed]' \
            '(-v --verbose)--verbose[Print what happens in detail, with the time elapsed]' \
            '(-h --help)-h[Print this help]' \
            '(-h --help)--help[Print this help]' \
            '*:argument:(trending/movie/week movie/popular)'
        ;;
    sheet)
        _arguments -s -S \
            '(--cache)--cache=[Where pictures are kept]:DIR:_files -/' \
            '(--format)--format=[What kind of picture to write]:FORMAT:(png jpeg webp pdf)' \
            '(-q --quiet)-q[Print errors only\: no progress, no summary]' \
            '(-q --quiet)--quiet[Print errors only\: no progress, no summary]' \
            '(-v --verbose)-v[Print what happens in detail, with the time elapsed]' \
            '(-v --verbose)--verbose[Print what happens in detail, with the time elapsed]' \
            '(-h --help)-h[Print this help]' \
            '(-h --help)--help[Print this help]' \
            '*:argument: '
        ;;
    completion)
        _arguments -s -S \
            '(-q --quiet)-q[Print errors only\: no progress, no summary]' \
            '(-q --quiet)--quiet[Print errors only\: no progress, no summary]' \
            '(-v --verbose)-v[Print what happens in detail, with the time elapsed]' \
            '(-v --verbose)--verbose[Print what happens in detail, with the time elapsed]' \
            '(-h --help)-h[Print this help]' \
            '(-h --help)--help[Print this help]' \
            '*:argument:(bash zsh fish)'
        ;;
    help)
        _arguments -s -S \
            '(--man)--man[Print the manual page (roff) instead]' \
            '(-q --quiet)-q[Print errors only\: no progress, no summary]' \
            '(-q --quiet)--quiet[Print errors only\: no progress, no summary]' \
            '(-v --verbose)-v[Print what happens in detail, with the time elapsed]' \
            '(-v --verbose)--verbose[Print what happens in detail, with the time elapsed]' \
            '(-h --help)-h[Print this help]' \
            '(-h --help)--help[Print this help]' \
            '*:argument:(mirror sheet completion help)'
        ;;
    esac
}

if [[ $funcstack[1] == _posterity ]]; then
    _posterity "$@"
else
    compdef _posterity posterity
fi
