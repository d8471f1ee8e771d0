package import Amodb
internal import Core
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
    /// Nil when no details are asked for.
    package var details: Details?
    /// In the order of the titles that need them.
    package var urlsToAsk: [String] = []

    package struct Details: Sendable, Encodable, Equatable {
        /// Each once, however many lists it is in.
        package var titles: Int
        package var toAsk: Int
        /// Titles that would not be asked for: what is kept is fresh, or they are known not to be there.
        package var settled: Int
        /// How long the requests would have to wait for their turn, the lists' included; nil without a limit.
        package var waitSeconds: Int?
        /// Requests that are allowed a minute.
        package var requestsPerMinute: Int?
    }

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

    /// Adds what a run would ask for details.
    ///
    /// - Parameter failures: how the last attempts at these URLs failed.
    package mutating func addDetails(
        of plan: MirrorPlan, request: MirrorRequest, asking amodb: AmodbClient, at now: Date,
        failures: ([String]) async throws -> [String: FailureRecord]
    ) async throws {
        guard !request.details.isEmpty else { return }
        let found = try await DetailsPlan(of: plan, request: request, asking: amodb, at: now, failures: failures)
        details = Details(
            titles: found.count, toAsk: found.toAsk.count, settled: found.settled.count,
            waitSeconds: try await amodb.wait(forRequests: found.toAsk.count).map { Int($0.components.seconds) },
            requestsPerMinute: amodb.requestsPerMinute)
    }
}
