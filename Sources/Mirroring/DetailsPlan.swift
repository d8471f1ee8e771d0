internal import Amodb
internal import Core
internal import FoundationEssentials
internal import Storage

/// Whose details a run has to ask for, and what is known of the others. One place, so that a preview promises what a run then does.
struct DetailsPlan: Sendable {
    /// Titles that need not be asked for: what is kept is fresh, or they are known not to be there.
    private(set) var settled: [TitleID: DetailsOutcome] = [:]
    /// Each once, in the order of the lists.
    private(set) var toAsk: [TitleID] = []
    /// What is known of titles to ask for, older than it should be.
    private(set) var older: [TitleID: AmodbClient.DatedDetails] = [:]
    /// What messages call a title.
    private(set) var names: [TitleID: String] = [:]
    /// By title; what failures are remembered by.
    private(set) var urls: [TitleID: String] = [:]

    var count: Int { settled.count + toAsk.count }

    /// - Parameters:
    ///   - failures: how the last attempts at these URLs failed.
    /// - Throws: what the answer store throws; `AmodbError` when no URL can be made.
    init(
        of plan: MirrorPlan, request: MirrorRequest, asking amodb: AmodbClient, at now: Date,
        failures: ([String]) async throws -> [String: FailureRecord]
    ) async throws {
        var titles: [TitleID] = []
        for entry in plan.entries where names[entry.title.identity] == nil {
            let title = entry.title.identity
            titles.append(title)
            names[title] = entry.title.shortTitle
            urls[title] = try amodb.detailsURL(of: title, request.details, language: request.language)
        }
        let failed = try await failures(Array(urls.values))
        for title in titles {
            try await add(title, urls[title].flatMap { failed[$0] }, request: request, asking: amodb, at: now)
        }
    }

    private mutating func add(
        _ title: TitleID, _ failure: FailureRecord?, request: MirrorRequest, asking amodb: AmodbClient, at now: Date
    ) async throws {
        let kept = try await amodb.keptDetails(of: title, request.details, language: request.language)
        if let kept, !request.refresh, amodb.isFresh(kept) {
            settled[title] = .fresh(Manifest.Details(kept))
        } else if let failure, request.remembers(failure, at: now) {
            let why = Manifest.Missing(reason: failure.reason, detail: "\(failure.detail) (asked at \(failure.at.iso8601))")
            settled[title] = .failed(why, kept: kept)
        } else {
            toAsk.append(title)
            older[title] = kept
        }
    }
}
