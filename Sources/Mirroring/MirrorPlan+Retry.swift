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
}
