/// What a list is called on a page.
enum ListName {
    /// `trending/movie/week` is "Trending movies"; a path that does not follow the API's pattern is shown as its words.
    static func heading(of path: String) -> String {
        let parts = DisplayText.cleaned(path).split(separator: "/").map(String.init)
        let subjects = ["movie": "movies", "tv": "series", "all": "titles", "person": "people"]
        guard let subject = parts.lazy.compactMap({ subjects[$0] }).first else { return capitalised(parts.joined(separator: " ")) }
        let words = parts.filter { subjects[$0] == nil && $0 != "week" && $0 != "day" }.map { $0.replacing("_", with: " ") }
        switch words.joined(separator: " ") {
        case "": return capitalised(subject)
        case "now playing": return "\(capitalised(subject)) now playing"
        case "on the air": return "\(capitalised(subject)) on the air"
        case "airing today": return "\(capitalised(subject)) airing today"
        case let other: return "\(capitalised(other)) \(subject)"
        }
    }

    private static func capitalised(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }
}
