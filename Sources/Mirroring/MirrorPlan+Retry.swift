internal import Transfer
internal import Amodb

// Going on from an earlier run instead of asking the API.
extension MirrorPlan {
    /// What there is to see to for the titles that `run` had.
    package init(titlesOf run: Manifest, request: MirrorRequest) {
        let titles = request.lists.map { list in
            (
                list: list,
                titles: run.titles.filter { $0.list == list.path }.sorted { $0.rank < $1.rank }.map { title in
                    Title(
                        id: title.id, mediaType: title.mediaType, title: title.title, year: title.year, score: title.score,
                        posterPath: title.poster?.path)
                }
            )
        }
        self.init(titles: titles, request: request)
    }

    /// The URLs of this plan's pictures that `run` could not have, or has only as an earlier copy.
    package func failed(in run: Manifest) -> Set<String> {
        let sizes = run.titles.compactMap(\.poster).flatMap(\.sizes.values)
        let good = Set(sizes.compactMap(\.original).filter { $0.kept == nil }.map(\.url))
        return Set(pictures.map(\.url.text)).subtracting(good)
    }

    /// Whether `run` lacks details of a title of this plan, or has only older ones.
    package func lacksDetails(in run: Manifest) -> Bool {
        let good = Set(
            run.titles.filter { $0.details != nil && $0.details?.kept == nil }.map { TitleID(mediaType: $0.mediaType, id: $0.id) })
        return entries.contains { !good.contains($0.title.identity) }
    }
}

extension MirrorRequest {
    /// Asks for the details that `run` was asked for, so that one that goes on from it has no less.
    package mutating func takeOverDetails(of run: Manifest) {
        details = DetailPart.allCases.filter { run.details?.contains($0.rawValue) == true }
    }
}
