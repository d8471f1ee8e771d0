internal import Amodb

/// What may be asked of the API, and how: each question that is let in is written in one way, which is what is asked upstream and what its
/// answer is kept by.
struct RequestPolicy: Sendable {
    private let patterns: [RoutePattern]

    /// - Parameter extra: what is allowed besides the lists, titles, search, configuration and genres.
    init(allowing extra: [RoutePattern]) {
        // The operator's come first: a pattern of theirs for a path that is here already may allow more items.
        patterns = extra + Self.standard
    }

    /// - Parameter target: below `/3/`.
    /// - Throws: 404 for a path that is not allowed, 400 for a query that is not; nothing of either is asked upstream.
    func question(in target: RequestTarget) throws(Problem) -> Question {
        let segments = target.segments.dropFirst()
        guard !target.isFolder, let pattern = patterns.first(where: { $0.matches(segments) }) else { throw .notFound }
        var items: [(name: String, value: String)] = []
        var seen: Set<String> = []
        for item in target.items where !Credentials.isName(item.name) {
            guard let rule = pattern.rules[item.name] else {
                // Not dropped: the client would get an answer to another question, and never know.
                throw .malformed("this path takes \(pattern.rules.keys.sorted().joined(separator: ", ")), and nothing else in its query")
            }
            guard seen.insert(item.name).inserted else { throw .malformed("its query gives \(item.name) twice") }
            switch rule.read(item.value) {
            case .keep(let value): items.append((item.name, value))
            case .drop: break
            case .refuse: throw .malformed("its query has a value for \(item.name) that cannot be one")
            }
        }
        items.sort { $0.name < $1.name }
        return Question(path: segments.joined(separator: "/"), items: items.map { ($0.name, $0.value) }, isList: pattern.isList)
    }

    // MARK: - Private

    /// What apps ask for whose base address was the API's.
    private static let standard: [RoutePattern] =
        (ListPath.all.map { $0.path + "?page&region" }
        + [
            "movie/{id}?append_to_response&include_image_language&include_video_language",
            "tv/{id}?append_to_response&include_image_language&include_video_language",
            "search/movie?query&page&include_adult&region&year&primary_release_year",
            "search/tv?query&page&include_adult&year&first_air_date_year",
            "search/multi?query&page&include_adult",
            "search/person?query&page&include_adult",
            "genre/movie/list", "genre/tv/list",
            "configuration", "configuration/countries", "configuration/languages", "configuration/primary_translations",
        ]).map { text in
            // These texts are this program's own.
            do { return try RoutePattern(text) } catch { fatalError("the pattern \(text) \(error)") }
        }
}

/// A question for the API in its one form.
struct Question: Sendable {
    /// Such as `movie/603`.
    let path: String
    /// Sorted by name, without what the API assumes by itself.
    let items: [(String, String)]
    let isList: Bool
}
