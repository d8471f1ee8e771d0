/// How the JSON of a list page is spoilt; those that are not about lists alone spoil a title's details too.
enum JSONFault: String, Sendable, CaseIterable {
    /// Ends in the middle.
    case truncated
    /// An array where the object should be.
    case array
    /// Numbers as texts, texts as numbers, an object for a title.
    case wrongTypes = "wrong-types"
    case noResults = "no-results"
    /// `results` is null.
    case nullResults = "null-results"
    /// Poster paths that climb, name another host, or carry control characters.
    case traversal
    /// Poster paths that are unusual but legal, and have pictures.
    case paths
    /// Control characters, terminal escapes and bidirectional overrides in titles.
    case controls
    /// Every title twice.
    case duplicates
    /// Arrays in arrays, 100,000 deep.
    case deep
    /// Ten megabytes.
    case huge
    /// Years 0000 and 9999, days that do not exist.
    case dates
    /// Says that there are ten times as many pages as there are.
    case pages

    func spoil(_ answer: JSONValue) -> [UInt8] {
        var page = answer
        switch self {
        case .truncated: return Array(answer.bytes.prefix(answer.bytes.count * 6 / 10))
        case .array: return JSONValue.array([answer]).bytes
        case .noResults: page["results"] = nil
        case .nullResults: page["results"] = .null
        case .deep: page["extra"] = .string("@")
        case .huge: page["extra"] = .string(String(repeating: "posterity ", count: 1_000_000))
        case .pages:
            if case .int(let pages)? = page["total_pages"] { page["total_pages"] = .int(pages * 10) }
        case .duplicates:
            if case .array(let results)? = page["results"] { page["results"] = .array(results + results) }
        case .wrongTypes, .traversal, .paths, .controls, .dates:
            if case .array(let results)? = page["results"] {
                page["results"] = .array(results.enumerated().map { spoil($1, at: $0) })
            } else {
                spoilDetails(&page)
            }
        }
        guard self == .deep else { return page.bytes }
        // The nest is written as text: building it as a value would be as deep a recursion as the reader's.
        let nest = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        return Array(String(decoding: page.bytes, as: UTF8.self).replacing("\"@\"", with: nest).utf8)
    }

    // MARK: - Private

    private func spoil(_ result: JSONValue, at index: Int) -> JSONValue {
        var result = result
        let titleName = result["title"] != nil ? "title" : "name"
        let dateName = result["title"] != nil ? "release_date" : "first_air_date"
        switch self {
        case .wrongTypes:
            switch index % 5 {
            case 0: result["vote_average"] = .string("7.1")
            case 1: result["id"] = .string("\(index)")
            case 2: result[titleName] = .object([("en", .string("an object"))])
            case 3: result["poster_path"] = .int(42)
            default: result[dateName] = .null
            }
        case .traversal: result["poster_path"] = .string(Self.hostilePaths[index % Self.hostilePaths.count])
        case .paths: result["poster_path"] = .string(Catalogue.unusualPaths[index % Catalogue.unusualPaths.count])
        case .controls: result[titleName] = .string(Self.hostileTitles[index % Self.hostileTitles.count])
        case .dates: result[dateName] = .string(["0000-00-00", "9999-12-31", "2026-13-45", "yesterday", "20", "-1-01-01"][index % 6])
        default: break
        }
        return result
    }

    private func spoilDetails(_ details: inout JSONValue) {
        switch self {
        case .wrongTypes:
            details["runtime"] = .string("many")
            details["genres"] = .array([.int(3), .string("Drama"), .object([("name", .array([]))]), .object([("name", .string("Fable"))])])
            details["created_by"] = .string("somebody")
            details["credits"] = .object([
                ("cast", .array([.null, .object([("name", .string("Only One")), ("character", .int(7))]), .string("x")])),
                ("crew", .object([])),
            ])
            details["ratings"] = .object([
                ("imdb", .string("7.9")), ("kinopoisk", .object([("value", .int(71))])),
                ("metacritic", .object([("value", .string("74"))])),
                ("rotten_tomatoes", .object([("value", .int(-3)), ("votes", .int(5))])),
                ("tmdb", .object([("value", .double(6.5)), ("votes", .string("many"))])),
            ])
        case .controls:
            details["genres"] = .array(Self.hostileTitles.map { .object([("name", .string($0))]) })
            details["credits"] = .object([
                ("cast", .array(Self.hostileTitles.map { .object([("name", .string($0)), ("character", .string($0))]) })),
                ("crew", .array(Self.hostileTitles.map { .object([("name", .string($0)), ("job", .string("Director"))]) })),
            ])
        default: break
        }
    }

    private static let hostilePaths = [
        "/../../etc/passwd", "//other.example/x.jpg", "/..%2f..%2fx.jpg", "http://other.example/x.jpg", "x.jpg", "/a\\b.jpg", "/nul\0.jpg",
        "/../\u{301}/x.jpg",
        "/line\r\nX-Injected: yes.jpg", "/./x.jpg", "file:///etc/passwd", "/" + String(repeating: "a", count: 20_000) + ".jpg", "/",
    ]

    private static let hostileTitles = [
        "nul \0 inside", "bell \u{7} and escape \u{1B}[2J\u{1B}[31mred", "line\nforged: a second line",
        "\u{202E}desrever\u{202C} \u{2066}isolate\u{2069}",
        "tab\tand return\roverwritten", "<script>alert(1)</script>", "\u{1B}]0;window title\u{7}", "", " ", "..", "CON",
        "a/b\\c:d*e?f\"g<h>i|j",
        "\u{FEFF}mark \u{2028} \u{2029} separators", String(repeating: "long ", count: 2_000),
    ]
}
