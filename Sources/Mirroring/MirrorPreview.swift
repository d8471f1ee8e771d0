internal import Amodb
internal import Imaging
internal import Transfer
package import FoundationEssentials
package import Storage

/// What a run would do, before it does it.
package struct MirrorPreview: Sendable, Encodable, Equatable {
    package var titles = 0
    package var withoutPoster = 0
    package var pictures = 0
    /// Pictures that would be downloaded for the first time.
    package var toFetch = 0
    /// Pictures whose host would be asked whether they have changed.
    package var toRevalidate = 0
    /// Pictures that would not be asked for: fresh ones, and ones known to be missing.
    package var settled = 0
    /// Renditions that would be made at least; a picture that has changed needs new ones.
    package var toRender = 0
    /// In the order of the titles that need them.
    package var urlsToAsk: [String] = []

    /// - Parameters:
    ///   - known: what the cache holds, by URL.
    ///   - earlier: how the last attempts failed, by URL.
    package init(
        of plan: MirrorPlan, request: MirrorRequest, known: [String: SourceRecord], earlier: [String: FailureRecord], at now: Date
    ) {
        let recipes = RecipeBook(request.recipes, sizes: request.sizes)
        titles = plan.entries.count
        withoutPoster = plan.entries.count { $0.title.posterPath == nil }
        pictures = plan.pictures.count
        for picture in plan.pictures {
            let url = picture.url.text
            if let source = known[url] {
                toRender += recipes.lacking(in: source, for: picture.targets).count
                guard !request.isFresh(source, at: now) else {
                    settled += 1
                    continue
                }
                toRevalidate += 1
            } else if let failure = earlier[url], request.remembers(failure, at: now) {
                settled += 1
                continue
            } else {
                toFetch += 1
                // A width that nobody knows yet changes a recipe's text, not the number of recipes.
                toRender += recipes.recipes(for: picture.targets, originalWidth: 1).count
            }
            urlsToAsk.append(url)
        }
    }
}
