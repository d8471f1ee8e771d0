package import FoundationEssentials
internal import Core
internal import Transfer

extension AmodbClient {
    /// How long what is known of a title is used again. Casts do not change, ratings hardly, and each title costs one of the few requests
    /// that a plan allows.
    package static let detailsLifetime: TimeInterval = 7 * 86_400

    /// Details, and since when they are known.
    package struct DatedDetails: Sendable, Equatable {
        package let details: TitleDetails
        package let fetchedAt: Date
    }

    /// Where details are asked for: `movie/{id}?append_to_response=credits,ratings&language=…`. Never holds the key.
    package func detailsURL(of title: TitleID, _ parts: [DetailPart], language: String) throws(AmodbError) -> String {
        try url(of: title, Self.inOrder(parts), language).text
    }

    /// What was kept of a title, however long ago: the newest that has all `parts`.
    ///
    /// - Throws: what the answer store throws.
    package func keptDetails(of title: TitleID, _ parts: [DetailPart], language: String) async throws -> DatedDetails? {
        let wanted = Self.inOrder(parts)
        var newest: DatedDetails?
        // An answer with more than is wanted will do as well.
        for asked in wanted.count < DetailPart.allCases.count ? [wanted, DetailPart.allCases] : [wanted] {
            guard let kept = try await answers.load(Self.name(of: try url(of: title, asked, language))),
                let details = try? JSONText.decode(TitleDetails.self, from: kept.body)
            else { continue }
            if newest.map({ $0.fetchedAt < kept.fetchedAt }) ?? true {
                newest = DatedDetails(details: details.only(wanted), fetchedAt: kept.fetchedAt)
            }
        }
        return newest
    }

    /// Whether kept details are used without asking.
    package func isFresh(_ kept: DatedDetails) -> Bool {
        let age = clock.now().timeIntervalSince(kept.fetchedAt)
        // A negative age means that the clock was set back; then it is unknown.
        return age >= 0 && age < Self.detailsLifetime
    }

    /// Asks for a title's details, and keeps them.
    ///
    /// - Parameter onTurn: is called each time that the pace lets a request pass.
    /// - Throws: ``AmodbError``, what the answer store throws, or `CancellationError`.
    package func details(
        of title: TitleID, _ parts: [DetailPart], language: String, onTurn: @escaping @Sendable () -> Void = {}
    ) async throws -> DatedDetails {
        let parts = Self.inOrder(parts)
        let address = try url(of: title, parts, language)
        let body = try await ask(address, for: .title(title), onTurn: onTurn)
        let details: TitleDetails
        do throws(AmodbError) {
            details = try TitleDetails(json: body, of: title, parts: parts)
        } catch {
            throw AmodbError(.badAnswer, "\(base.hostAndPort): \(title): \(error.detail)")
        }
        let now = clock.now()
        try await answers.save(Self.name(of: address), AnswerStore.Answer(body: JSONText.encode(details, pretty: false), fetchedAt: now))
        return DatedDetails(details: details, fetchedAt: now)
    }

    /// How long `count` requests have to wait for their turn all together; nil when there is no limit.
    package func wait(forRequests count: Int) async throws -> Duration? { try await pace.wait(forRequests: count) }

    /// Requests that are allowed a minute; nil for no limit.
    package var requestsPerMinute: Int? { pace.perMinute }

    // MARK: - Private

    /// One order, so that it is one URL however it was asked for.
    private static func inOrder(_ parts: [DetailPart]) -> [DetailPart] { DetailPart.allCases.filter(parts.contains) }

    /// What details are kept under: their URL, marked as not being its whole answer. The number changes with what is kept of one.
    private static func name(of address: WebAddress) -> String { address.text + "#details-1" }

    private func url(of title: TitleID, _ parts: [DetailPart], _ language: String) throws(AmodbError) -> WebAddress {
        let query = [("append_to_response", parts.map(\.rawValue).joined(separator: ",")), ("language", language)]
        do throws(TransferError) {
            return try base.appending(path: "/\(title)").appending(query: query)
        } catch {
            throw AmodbError(.unreachable, error.description, cause: error)
        }
    }
}
