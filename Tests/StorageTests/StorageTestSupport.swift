import Core
import FoundationEssentials
import Storage
import TestSupport
import Testing

/// A time that all tests agree on.
let noon = Date(iso8601: "2026-11-30T12:00:00Z")!

/// Bytes that stand for a picture: the cache does not look into them. Equal seeds give equal bytes.
func picture(_ seed: Int, byteCount: Int = 2_000, fileExtension: String = "jpg") -> NewPicture {
    var state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    let bytes = (0..<byteCount).map { _ -> UInt8 in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 33)
    }
    return NewPicture(bytes: bytes, fileExtension: fileExtension, mediaType: "image/jpeg", widthPixels: 342, heightPixels: 513)
}

func source(_ number: Int, seed: Int? = nil, byteCount: Int = 2_000, recipes: [String] = ["cover,342x513,webp"]) -> NewSource {
    NewSource(
        url: "https://img.example/t/p/w342/\(number).jpg", original: .new(picture(seed ?? number, byteCount: byteCount)),
        etag: "\"e\(number)\"", lastModified: nil, fetchedAt: noon, freshUntil: noon + 86_400, colour: "#102030", placeholder: "data:,x",
        renditions: recipes.enumerated().map { index, recipe in
            NewRendition(
                recipe: recipe,
                picture: picture((seed ?? number) * 1_000 + index + 500_000, byteCount: byteCount / 2, fileExtension: "webp"))
        })
}

func withCache<Value>(
    _ root: String, _ access: Cache.Access = .readWrite, log: Log = .silent, _ body: (Cache) async throws -> Value
) async throws -> Value {
    try await Cache.withCache(at: root, access: access, clock: .stopped(at: noon), log: log, body)
}

/// Holds the cache's promises against the files themselves, with `sha256sum`, `find` and `sqlite3` instead of the code under test.
func expectSound(_ root: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let script = """
        cd "$1" || exit 9
        [ -d objects ] || exit 0
        find objects -type f -print0 | xargs -0 -r sha256sum | awk '{
            if (index($2, "objects/" substr($1, 1, 2) "/" $1 ".") != 1) print "damaged or misnamed: " $2
        }'
        if [ -s index.sqlite ]; then
            sqlite3 -separator ' ' -cmd '.timeout 5000' index.sqlite "SELECT path, bytes FROM pictures" > "$2/rows" || echo "index unreadable"
            find objects -type f -printf '%p %s\\n' > "$2/files"
            awk 'FILENAME == ARGV[1] { bytes[$1] = $2; next }
                bytes[$1] != $2 { print "index names " $1 ", which is not there" }' "$2/files" "$2/rows"
            sqlite3 -cmd '.timeout 5000' index.sqlite "PRAGMA integrity_check; PRAGMA foreign_key_check" | grep -vx ok
        fi
        for r in runs/*.json; do [ -e "$r" ] && [ "$(tail -c 1 "$r")" != "}" ] && echo "half a run: $r"; done
        exit 0
        """
    let result = try await withTemporaryDirectory { scratch in try await Tool.outcome(of: "sh", ["-c", script, "sh", root, scratch]) }
    #expect(result.text == "" && result.status == 0, "\(result.allText)", sourceLocation: sourceLocation)
}
