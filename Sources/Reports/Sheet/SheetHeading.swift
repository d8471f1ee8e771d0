internal import Mirroring

/// What stands above a list's posters.
struct SheetHeading: Sendable, Equatable {
    let title: String
    let list: String
    let week: String
    let language: String
    let count: String

    init(list: String, title: String?, of manifest: Manifest, shown: Int, all: Int) {
        self.title = title ?? Self.name(of: list)
        self.list = list
        week = manifest.week
        language = manifest.language
        count = (shown == all ? "\(all)" : "\(shown) of \(all)") + (all == 1 ? " title" : " titles")
    }

    /// The list's path in plain words: `Trending movies this week` for `trending/movie/week`.
    static func name(of list: String) -> String {
        let parts = list.split(separator: "/").map { String($0).replacing("_", with: " ") }
        let kinds = ["movie": "movies", "tv": "series", "all": "movies and series"]
        var name: String
        switch parts.count {
        case 3 where parts[0] == "trending" && kinds[parts[1]] != nil && ["day", "week"].contains(parts[2]):
            name = "trending \(kinds[parts[1]]!) \(parts[2] == "day" ? "today" : "this week")"
        case 2 where kinds[parts[0]] != nil:
            name = "\(parts[1]) \(kinds[parts[0]]!)"
        default:
            name = list
        }
        return name.prefix(1).uppercased() + name.dropFirst()
    }
}
