import Core
import FoundationEssentials
import Glibc
import TestSupport

/// Holds a cache directory against its promises with other programs than the one that made it: `find`, `sha256sum` and `sqlite3`.
enum CacheAudit {
    /// What is wrong; empty when the cache is sound.
    static func problems(of root: String) async throws -> [String] {
        // The index is looked at as a copy: opening it would repair what the program is to repair itself.
        let script = """
            cd "$1" 2>/dev/null || exit 0
            copy=$(mktemp -d) && trap 'rm -rf "$copy"' EXIT
            [ -d objects ] && find objects -type f -print0 | xargs -0 -r sha256sum | while read -r digest file; do
                case "$file" in
                    objects/"$(printf %.2s "$digest")"/"$digest".*) ;;
                    *) echo "$file is not named by its digest";;
                esac
                [ -w "$file" ] && [ "$(stat -c %a "$file")" != 444 ] && echo "$file can be written to"
            done
            for file in index.sqlite index.sqlite-wal; do [ -e "$file" ] && cp "$file" "$copy/"; done
            if [ -s "$copy/index.sqlite" ]; then
                sqlite3 "$copy/index.sqlite" 'PRAGMA integrity_check; PRAGMA foreign_key_check' 2>&1 | grep -vx ok
                if sqlite3 "$copy/index.sqlite" .tables | grep -q pictures; then
                    sqlite3 -separator ' ' "$copy/index.sqlite" 'SELECT path, bytes FROM pictures' >"$copy/rows" || echo "the index cannot be read"
                    while read -r path bytes; do
                        [ "$(stat -c %s "$path" 2>/dev/null)" = "$bytes" ] || echo "the index names $path, which is not there"
                    done <"$copy/rows"
                fi
            fi
            for run in runs/*.json; do
                [ -e "$run" ] || continue
                [ "$(tail -c 2 "$run")" = "}" ] || echo "$run is not whole"
                grep -o 'objects/[0-9a-f]*/[0-9a-f]*[.][a-z]*' "$run" | sort -u | while read -r path; do
                    [ -s "$path" ] || echo "$run names $path, which is not there"
                done
            done
            exit 0
            """
        return try await ProgramRun.shell(script, root).split(separator: "\n").map(String.init)
    }

    /// The names of all objects.
    static func objects(in root: String) -> Set<String> {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: root + "/objects")) ?? []
        return Set(paths.filter { $0.utf8.count > 64 })
    }

    /// What dead processes have left in `tmp`.
    static func leftovers(in root: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: root + "/tmp")) ?? []
    }
}
