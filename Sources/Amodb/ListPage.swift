internal import Core
internal import FoundationEssentials

/// One page of a list, read leniently: a result that makes no sense is left out and counted, and never costs the others.
///
/// Shape: `{page, results: [...], total_pages, total_results}`; a result has `id`, `title` or `name`, `release_date` or `first_air_date`,
/// `poster_path`, `vote_average`, `vote_count`, `media_type`. Source: the API's documentation, whose paths are TMDB v3's.
package struct ListPage: Sendable {
    package let titles: [Title]
    /// Results that are people or collections, which have no poster of the kind asked for.
    package let otherResults: Int
    /// Results that could not be read, each named by its place and what it says of itself.
    package let unreadableResults: [String]
    package let totalPages: Int

    /// - Parameters:
    ///   - body: JSON, at most a few megabytes.
    ///   - mediaType: what a result is that does not say so itself.
    /// - Throws: ``AmodbError/Code/badAnswer`` when this is not a page of results at all.
    package init(json body: [UInt8], mediaType: String?) throws(AmodbError) {
        let page: Page
        do {
            page = try JSONText.decode(Page.self, from: body)
        } catch {
            throw AmodbError(.badAnswer, "the answer is not a page of results: \(AmodbError.fault(error, in: body))")
        }
        var titles: [Title] = []
        var others = 0
        var unreadable: [String] = []
        for (index, result) in page.results.enumerated() {
            switch result.reading(mediaType: mediaType) {
            case .title(let title): titles.append(title)
            case .other: others += 1
            case .unreadable: unreadable.append(result.name(at: index))
            }
        }
        self.titles = titles
        otherResults = others
        unreadableResults = unreadable
        totalPages = max(0, page.totalPages ?? 1)
    }

    /// Whether the page has no results of any kind.
    package var isEmpty: Bool { titles.isEmpty && otherResults == 0 && unreadableResults.isEmpty }
}

// MARK: - JSON

private struct Page: Decodable {
    let results: [Result]
    let totalPages: Int?

    enum CodingKeys: String, CodingKey {
        case results
        case totalPages = "total_pages"
    }
}

/// A result in which every field may be missing or of a wrong type.
private struct Result: Decodable {
    enum Reading {
        case title(Title)
        case other
        case unreadable
    }

    private var id: Int?
    private var name: String?
    private var date: String?
    private var posterPath: String?
    private var voteAverage: Double?
    private var voteCount: Int?
    private var mediaType: String?

    enum CodingKeys: String, CodingKey {
        case id, title, name
        case releaseDate = "release_date"
        case firstAirDate = "first_air_date"
        case posterPath = "poster_path"
        case voteAverage = "vote_average"
        case voteCount = "vote_count"
        case mediaType = "media_type"
    }

    init(from decoder: any Decoder) {
        // An element that is no object at all has no container; it ends as unreadable.
        guard let fields = try? decoder.container(keyedBy: CodingKeys.self) else { return }
        id = fields.lenient(Int.self, .id)
        name = fields.lenient(String.self, .title) ?? fields.lenient(String.self, .name)
        date = fields.lenient(String.self, .releaseDate) ?? fields.lenient(String.self, .firstAirDate)
        posterPath = fields.lenient(String.self, .posterPath)
        voteAverage = fields.lenient(Double.self, .voteAverage) ?? fields.lenient(String.self, .voteAverage).flatMap(Double.init)
        voteCount = fields.lenient(Int.self, .voteCount)
        mediaType = fields.lenient(String.self, .mediaType)
    }

    func reading(mediaType default: String?) -> Reading {
        let kind = mediaType ?? `default` ?? "movie"
        guard kind == "movie" || kind == "tv" else { return .other }
        let posterPath = posterPath.flatMap { $0.isEmpty ? nil : $0 }
        // A poster is worth having without a name for it.
        guard let id, id > 0, let name = cleanedName ?? (posterPath == nil ? nil : "(untitled)") else { return .unreadable }
        return .title(Title(id: id, mediaType: kind, title: name, year: year, score: score, posterPath: posterPath))
    }

    /// What a message calls this result, the `index`th of its page.
    func name(at index: Int) -> String {
        let facts = [id.map { "id \($0)" }, cleanedName.map { "\"\($0.prefix(60))\"" }].compactMap(\.self)
        return "result \(index + 1)" + (facts.isEmpty ? "" : " (\(facts.joined(separator: ", ")))")
    }

    private var cleanedName: String? { name?.cleaned.nonEmpty }

    private var year: Int? {
        guard let date, let year = Int(date.prefix(4)), (1870...2200).contains(year) else { return nil }
        return year
    }

    private var score: Double? {
        guard let voteAverage, voteAverage.isFinite, (0...10).contains(voteAverage) else { return nil }
        let hasVotes = voteCount.map { $0 > 0 } ?? (voteAverage > 0)
        return hasVotes ? voteAverage : nil
    }
}
