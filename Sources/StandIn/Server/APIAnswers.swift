internal import Serving

/// What the API answers: pages of lists, and titles.
struct APIAnswers: Sendable {
    let catalogue: Catalogue

    /// - Parameter path: what follows `/3/`.
    func answer(to request: ServerRequest, path: String, week: Int) -> Reply {
        let tongue = Tongue.named(request.queryValue("language") ?? "en-US")
        if let titles = catalogue.list(path, week: week) {
            return page(of: titles, number: request.queryValue("page"), tongue: tongue, isTrending: path.hasPrefix("trending/"))
        }
        let words = path.split(separator: "/", omittingEmptySubsequences: false)
        guard words.count == 2, let kind = CatalogueTitle.Kind(rawValue: String(words[0])), let id = Int(words[1]),
            let title = catalogue.title(kind, id: id)
        else { return .notFound }
        let parts = (request.queryValue("append_to_response") ?? "").split(separator: ",").map(String.init)
        return Reply(json: TitleDetails(title: title, tongue: tongue).json(with: parts))
    }

    // MARK: - Private

    private func page(of titles: [CatalogueTitle], number: String?, tongue: Tongue, isTrending: Bool) -> Reply {
        guard let number = Int(number ?? "1"), (1...Catalogue.lastPage).contains(number) else { return .invalidPage }
        let pages = (titles.count + Catalogue.pageLength - 1) / Catalogue.pageLength
        let results = titles.dropFirst((number - 1) * Catalogue.pageLength).prefix(Catalogue.pageLength)
        return Reply(
            json: .object([
                ("page", .int(number)), ("results", .array(results.map { result(for: $0, tongue: tongue, isTrending: isTrending) })),
                ("total_pages", .int(min(pages, Catalogue.lastPage))), ("total_results", .int(titles.count)),
            ]))
    }

    private func result(for title: CatalogueTitle, tongue: Tongue, isTrending: Bool) -> JSONValue {
        var members = title.commonMembers(in: tongue)
        if isTrending { members.append(("media_type", .string(title.kind.rawValue))) }
        return .object(members)
    }
}

extension CatalogueTitle {
    /// What a list's entry and a title's details both say. Series have other names for title and date.
    func commonMembers(in tongue: Tongue) -> [(String, JSONValue)] {
        let isMovie = kind == .movie
        var members: [(String, JSONValue)] = [
            ("id", .int(id)), (isMovie ? "title" : "name", .string(self.title(in: tongue))),
            (isMovie ? "original_title" : "original_name", .string(originalTitle)), ("original_language", .string(original.code)),
            ("adult", .bool(false)), ("overview", .string("A story of \(name.spelt(in: .latin)), told by nobody in particular.")),
            ("popularity", .double(popularity)), ("vote_average", .double(voteAverage)), ("vote_count", .int(voteCount)),
            ("poster_path", posterPath.map(JSONValue.string) ?? .null), ("backdrop_path", .null),
        ]
        if let date { members.append((isMovie ? "release_date" : "first_air_date", .string(date))) }
        return members
    }
}
