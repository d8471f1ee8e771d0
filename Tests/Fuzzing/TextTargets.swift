import Amodb
import Core
import FoundationEssentials
import Imaging
import Transfer

/// A list's JSON to titles: no title can forge a line, and every number is one that a film can have.
struct ListTarget: FuzzTarget {
    func run(_ bytes: [UInt8]) {
        guard let page = try? ListPage(json: bytes, mediaType: "movie") else { return }
        for title in page.titles {
            precondition(title.id > 0 && !title.title.isEmpty && title.title.printable == title.title, "title \(title)")
            precondition(title.score.map { (0...10).contains($0) } ?? true && title.year.map { (1870...2200).contains($0) } ?? true)
        }
    }
}

/// A title's JSON to its details: no text can forge a line, and every number is one that a film can have.
struct DetailsTarget: FuzzTarget {
    func run(_ bytes: [UInt8]) {
        for mediaType in ["movie", "tv"] {
            let title = TitleID(mediaType: mediaType, id: 7)
            guard let details = try? TitleDetails(json: bytes, of: title, parts: DetailPart.allCases) else { continue }
            let texts = details.genres + (details.directors ?? []) + (details.cast ?? []).flatMap { [$0.name, $0.character ?? "-"] }
            precondition(texts.count <= 18 && texts.allSatisfy { !$0.isEmpty && $0.count <= 500 && $0.printable == $0 }, "\(texts)")
            precondition(details.runtimeMinutes.map { (1...6_000).contains($0) } ?? true, "\(details)")
            let ratings = details.ratings
            precondition([ratings?.imdb, ratings?.kinopoisk, ratings?.tmdb].allSatisfy { $0.map { (0...10).contains($0.value) } ?? true })
            precondition([ratings?.metacritic, ratings?.rottenTomatoes].allSatisfy { $0.map { (0...100).contains($0.value) } ?? true })
        }
    }
}

/// A recipe's text to a recipe: its canonical text is that of the same recipe, and resolving it gives one that holds.
struct RecipeTarget: FuzzTarget {
    func run(_ bytes: [UInt8]) {
        guard let recipe = try? Recipe(String(decoding: bytes, as: UTF8.self)) else { return }
        precondition((try? Recipe(recipe.description)) == recipe, "canonical text of \(recipe)")
        let resolved = recipe.resolved(forWidth: 185)
        precondition(resolved.hasDimensions && (try? Recipe(resolved.description)) == resolved, "resolved \(resolved)")
    }
}

/// Retry-After, rate limits, Cache-Control, Expires and dates: never a wait below zero, never freshness before now or beyond a year.
struct HeadersTarget: FuzzTarget {
    func run(_ bytes: [UInt8]) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let now = Date(timeIntervalSince1970: 1_796_040_000)
        let names = ["Retry-After", "Cache-Control", "Expires", "Date", "Age", "X-RateLimit-Reset", "X-RateLimit-Remaining"]
        let headers = HTTPHeaders(Array(zip(names, lines)))
        for delay in [RetryAfter.delay(headers["Retry-After"], now: now), RetryAfter.delay(rateLimit: headers, now: now)] {
            if let delay { precondition(delay >= .zero, "\(delay)") }
        }
        let fresh = Freshness.freshUntil(headers, now: now, otherwise: .seconds(60))
        precondition(fresh >= now && fresh <= now.addingTimeInterval(366 * 86_400), "\(fresh)")
    }
}

/// A poster path to a URL: it stays at its host and below its folder, and means the same when it is read again.
struct PathTarget: FuzzTarget {
    private static let base = try! WebAddress("https://img.example.org/t/p")

    func run(_ bytes: [UInt8]) {
        let path = String(decoding: bytes, as: UTF8.self)
        guard let address = try? Self.base.appending(path: path) else { return }
        let text = address.text
        precondition(text.hasPrefix("https://img.example.org/t/p/"), text)
        precondition(text.utf8.allSatisfy { $0 > 32 && $0 < 127 } && !text.contains("?") && !text.contains("#"), text)
        let segments = text.dropFirst("https://".count).split(separator: "/", omittingEmptySubsequences: false)
        precondition(!segments.contains("..") && !segments.contains("."), text)
        precondition((try? WebAddress(text)) == address, text)
    }
}
