extension Catalogue {
    /// The titles of a list in its order; nil when there is no such list.
    ///
    /// - Parameters:
    ///   - path: `trending/movie/week`, `movie/popular` and the like.
    ///   - week: moves the trending lists: ranks shift, a few titles come and go.
    func list(_ path: String, week: Int) -> [CatalogueTitle]? {
        let words = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if words.count == 3, words[0] == "trending", ["day", "week"].contains(words[2]) {
            switch words[1] {
            case "movie": return trending(of: [.movie], isDaily: words[2] == "day", week: week)
            case "tv": return trending(of: [.tv], isDaily: words[2] == "day", week: week)
            case "all": return trending(of: [.movie, .tv], isDaily: words[2] == "day", week: week)
            default: return nil
            }
        }
        guard words.count == 2, let kind = CatalogueTitle.Kind(rawValue: words[0]) else { return nil }
        switch (kind, words[1]) {
        case (_, "popular"):
            return sorted(kind) { _ in
                true
            } by: {
                $0.popularity
            }
        case (_, "top_rated"):
            return sorted(kind) {
                isWhole || $0.voteCount > 300
            } by: {
                $0.voteAverage * 1_000 + $0.popularity / 1_000
            }
        case (.movie, "now_playing"): return share(3, of: kind, salt: 21)
        case (.movie, "upcoming"): return share(4, of: kind, salt: 22)
        case (.tv, "airing_today"): return share(4, of: kind, salt: 23)
        case (.tv, "on_the_air"): return share(2, of: kind, salt: 24)
        default: return nil
        }
    }

    // MARK: - Private

    private func sorted(
        _ kind: CatalogueTitle.Kind, where isIncluded: (CatalogueTitle) -> Bool, by score: (CatalogueTitle) -> Double
    ) -> [CatalogueTitle] {
        ordered(titles.filter { $0.kind == kind && isIncluded($0) }, by: score)
    }

    /// Every nth of a kind, in an order of its own; in a whole catalogue all of them.
    private func share(_ divisor: Int, of kind: CatalogueTitle.Kind, salt: Int) -> [CatalogueTitle] {
        sorted(kind) {
            var random = StableRandom(salt, $0.index)
            return isWhole || random.below(divisor) == 0
        } by: {
            var random = StableRandom(salt, 1, $0.index)
            return random.unit()
        }
    }

    private func trending(of kinds: [CatalogueTitle.Kind], isDaily: Bool, week: Int) -> [CatalogueTitle] {
        let all = ordered(titles.filter { kinds.contains($0.kind) }) { Self.heat(of: $0, isDaily: isDaily, week: week) }
        // Three quarters of the titles trend at a time, so that some come and go; never more than the API's 500 pages hold.
        return Array(all.prefix(isWhole ? Self.pageLength * Self.lastPage : all.count * 3 / 4))
    }

    /// How much a title is talked about: a lasting part, and one that swells and fades over three weeks.
    private static func heat(of title: CatalogueTitle, isDaily: Bool, week: Int) -> Double {
        func noise(_ parts: Int) -> Double {
            var random = StableRandom(25, title.index, parts)
            return random.unit()
        }
        let (phase, part) = (week.quotientAndRemainder(dividingBy: 3).quotient, Double(week % 3) / 3)
        let swell = noise(phase) * (1 - part) + noise(phase + 1) * part
        return 0.55 * noise(-1) + 0.45 * swell + (isDaily ? 0.3 * noise(1_000_000 + week) : 0)
    }

    private func ordered(_ titles: [CatalogueTitle], by score: (CatalogueTitle) -> Double) -> [CatalogueTitle] {
        titles.map { (score($0), $0) }.sorted { ($0.0, $1.1.index) > ($1.0, $0.1.index) }.map(\.1)
    }
}
