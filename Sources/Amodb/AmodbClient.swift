package import Core
package import FoundationEssentials
package import Transfer

/// The movie API: asks for lists of titles, and for what there is on one title, by its rules.
///
/// Key as `Authorization: Bearer KEY`; 10 s for an answer; 401 and 402 are final; 429 waits `Retry-After` and is tried again at most twice;
/// 500 and 504 back off. A list's last answer is used again for 30 minutes. Source: the API's documentation.
package struct AmodbClient: Sendable {
    /// How much of a list is wanted.
    package enum Extent: Sendable, Equatable {
        case pages(Int)
        case top(Int)
    }

    /// How long a list's answer is used again; the API's edge caches it as long.
    package static let answerLifetime: TimeInterval = 30 * 60
    private static let answerDeadline = Duration.seconds(10)
    private static let maximumAnswerBytes = 8_000_000
    private static let titlesPerPage = 20
    /// The API refuses to show pages beyond this one, however many it says there are.
    private static let lastPossiblePage = 500
    /// More pages at once would only queue at the host.
    private static let pagesAtOnce = 4

    let base: WebAddress
    let answers: AnswerStore
    let pace: RequestPace
    let clock: WallClock
    let log: Log
    private let key: Secret?
    private let governor: HostGovernor
    private let keySource: String

    /// - Parameters:
    ///   - base: such as `https://api.amodb.dev/3`.
    ///   - key: nil when none is set up, which is an error only once a request is due.
    ///   - keySource: where the key came from, for the advice when it is refused.
    ///   - pace: what every request waits for, retries included.
    package init(
        base: WebAddress, key: Secret?, keySource: String = "AMODB_KEY", governor: HostGovernor, answers: AnswerStore,
        pace: RequestPace = .unlimited, clock: WallClock, log: Log
    ) {
        self.base = base
        self.key = key
        self.governor = governor
        self.answers = answers
        self.pace = pace
        self.keySource = keySource
        self.clock = clock
        self.log = log
    }

    /// The titles of `list` in rank order, without duplicates: as many as `extent` asks for, or all that there are, which the log then says.
    ///
    /// - Parameters:
    ///   - language: such as `en-US`; the API answers in English for one it does not have.
    ///   - refresh: asks again, however recent the last answer is.
    /// - Throws: ``AmodbError``, what the answer store throws, or `CancellationError`.
    package func titles(in list: ListPath, extent: Extent, language: String, refresh: Bool) async throws -> [Title] {
        var collected = TitleCollector()
        var lastPage = 1
        var nextPage = 1
        while nextPage <= lastPage, let wanted = pagesWanted(extent, have: collected.titles.count, next: nextPage) {
            // The first page alone: only it tells how many there are.
            let pages = Array(nextPage...min(lastPage, nextPage == 1 ? 1 : wanted))
            for (number, page) in zip(pages, try await fetch(pages, of: list, language: language, refresh: refresh)) {
                collected.add(page, number: number)
                if nextPage == 1 { lastPage = min(page.totalPages, Self.lastPossiblePage) }
            }
            nextPage += pages.count
        }
        report(collected, of: list, extent: extent, lastPage: lastPage)
        if case .top(let count) = extent { return Array(collected.titles.prefix(count)) }
        return collected.titles
    }

    // MARK: - Pages

    /// The last page worth asking for now; nil when there is enough.
    private func pagesWanted(_ extent: Extent, have: Int, next: Int) -> Int? {
        switch extent {
        case .pages(let count):
            return next <= count ? count : nil
        case .top(let count):
            guard have < count else { return nil }
            return next - 1 + (count - have + Self.titlesPerPage - 1) / Self.titlesPerPage
        }
    }

    private func fetch(_ numbers: [Int], of list: ListPath, language: String, refresh: Bool) async throws -> [ListPage] {
        try await withThrowingTaskGroup(of: (Int, ListPage).self) { group in
            var pages: [Int: ListPage] = [:]
            var waiting = numbers[...]
            func startNext() {
                guard let number = waiting.popFirst() else { return }
                group.addTask { (number, try await page(number, of: list, language: language, refresh: refresh)) }
            }
            for _ in 0..<Self.pagesAtOnce { startNext() }
            while let (number, page) = try await group.next() {
                pages[number] = page
                startNext()
            }
            return numbers.compactMap { pages[$0] }
        }
    }

    private func page(_ number: Int, of list: ListPath, language: String, refresh: Bool) async throws -> ListPage {
        let address = try url(of: list, language: language, page: number)
        if !refresh, let kept = try await answers.load(address.text), isFresh(kept), let page = try? read(kept.body, list) {
            log.debug("page \(number) of \(list): kept from \(kept.fetchedAt.iso8601)")
            return page
        }
        let body = try await ask(address, for: .list(list))
        let page = try read(body, list, number)
        // Kept only now that it is known to be a page: a broken answer must not be used again for half an hour.
        try await answers.save(address.text, AnswerStore.Answer(body: body, fetchedAt: clock.now()))
        return page
    }

    private func read(_ body: [UInt8], _ list: ListPath, _ number: Int = 1) throws(AmodbError) -> ListPage {
        do throws(AmodbError) {
            return try ListPage(json: body, mediaType: list.mediaType)
        } catch {
            throw AmodbError(.badAnswer, "\(base.hostAndPort): page \(number) of \(list): \(error.detail)")
        }
    }

    private func isFresh(_ answer: AnswerStore.Answer) -> Bool {
        let age = clock.now().timeIntervalSince(answer.fetchedAt)
        // A negative age means that the clock was set back; then the answer's age is unknown.
        return age >= 0 && age < Self.answerLifetime
    }

    private func url(of list: ListPath, language: String, page: Int) throws(AmodbError) -> WebAddress {
        do throws(TransferError) {
            return try base.appending(path: "/" + list.path).appending(query: [("language", language), ("page", String(page))])
        } catch {
            throw AmodbError(.unreachable, error.description, cause: error)
        }
    }

    // MARK: - One request

    /// What a request is for.
    enum Subject: CustomStringConvertible {
        case list(ListPath)
        case title(TitleID)

        var description: String {
            switch self {
            case .list(let list): list.description
            case .title(let title): title.description
            }
        }
    }

    /// - Parameter onTurn: is called each time that the pace lets a request pass.
    func ask(_ address: WebAddress, for subject: Subject, onTurn: @escaping @Sendable () -> Void = {}) async throws -> [UInt8] {
        guard let key else {
            throw AmodbError(.keyMissing, "no API key: set AMODB_KEY, or name a file that holds it with --key-file")
        }
        let request = HTTPRequest(
            address, headers: [("Accept", "application/json")], bearer: key, maximumBytes: Self.maximumAnswerBytes,
            deadline: Self.answerDeadline, acceptsCompression: true)
        let response: HTTPResponse
        let troubleWithPace = Mutex<(any Error)?>(nil)
        do throws(TransferError) {
            response = try await governor.send(request, policy: .api) {
                do {
                    if case .title = subject { try await pace.waitForTurn(saying: false) } else { try await pace.waitForTurn() }
                    onTurn()
                } catch {
                    troubleWithPace.withLock { $0 = error }
                    throw error
                }
            }
        } catch {
            if let trouble = troubleWithPace.withLock({ $0 }) { throw trouble }
            if error.isCancellation { throw CancellationError() }
            throw AmodbError(.unreachable, "\(subject): \(error.description)", cause: error)
        }
        guard response.status == 200 else { throw refusal(response, subject) }
        return response.body
    }

    private func refusal(_ response: HTTPResponse, _ subject: Subject) -> AmodbError {
        let said = Self.statusMessage(in: response.body).map { " (it says: \($0))" } ?? ""
        let host = base.hostAndPort
        func error(_ code: AmodbError.Code, _ detail: String) -> AmodbError { AmodbError(code, detail, status: response.status) }
        switch (response.status, subject) {
        case (401, _):
            return error(.keyRefused, "\(host) refuses the API key: missing, wrong or suspended (401)\(said); check \(keySource)")
        case (402, _):
            return error(.planExpired, "\(host): the plan's period is over (402)\(said); renew it to go on")
        case (429, _):
            let pause = RetryAfter.delay(response.headers["Retry-After"], now: clock.now()).map { max($0.components.seconds, 1) }
            let wait = pause.map { "wait \($0) s, as it asks," } ?? "wait a minute"
            return error(.rateLimited, "\(host): too many requests (429)\(said); \(wait) and run again")
        case (404, .list): return error(.listNotFound, "\(host) has no list \(subject) (404)\(said)")
        case (404, .title): return error(.titleNotFound, "\(host) has no \(subject) (404)\(said)")
        default: return error(.refused, "\(host) answered \(response.status) for \(subject)\(said)")
        }
    }

    /// The API's own sentence in an error's body, short and safe to print.
    private static func statusMessage(in body: [UInt8]) -> String? {
        struct Refusal: Decodable {
            let status_message: String
        }
        guard let refusal = try? JSONText.decode(Refusal.self, from: body.prefix(10_000)) else { return nil }
        return String(refusal.status_message.prefix(200)).printable
    }

    private func report(_ collected: TitleCollector, of list: ListPath, extent: Extent, lastPage: Int) {
        if !collected.unreadable.isEmpty {
            let shown = collected.unreadable.prefix(Self.mostNamed).joined(separator: ", ")
            let others = collected.unreadable.count > Self.mostNamed ? " and \(collected.unreadable.count - Self.mostNamed) more" : ""
            log.warning("\(list): left out, as they could not be read: \(shown)\(others)")
        }
        switch extent {
        case .top(let count) where collected.titles.count < count:
            log.warning("\(list) holds \(Self.count(collected.titles.count, "title")); \(Self.asked(count))")
        case .pages(let count) where lastPage < count:
            log.warning("\(list) has \(Self.count(lastPage, "page")); \(Self.asked(count))")
        case _ where !collected.emptyPages.isEmpty:
            let numbers = collected.emptyPages.prefix(Self.mostNamed).map(String.init).joined(separator: ", ")
            let pages = collected.emptyPages.count == 1 ? "page \(numbers) of \(lastPage) is" : "pages \(numbers) of \(lastPage) are"
            log.warning("\(list): \(pages) empty, though the API says that there is something on each")
        default: break
        }
    }

    /// So many are named in a message.
    private static let mostNamed = 5

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
    private static func asked(_ number: Int) -> String { "\(number) \(number == 1 ? "was" : "were") asked for" }
}

/// Titles in rank order. A list may move between two requests for its pages, so that a title shows up twice; it keeps its first place.
private struct TitleCollector {
    private struct Identity: Hashable {
        let mediaType: String
        let id: Int
    }

    private(set) var titles: [Title] = []
    private(set) var unreadable: [String] = []
    private(set) var emptyPages: [Int] = []
    private var seen: Set<Identity> = []

    mutating func add(_ page: ListPage, number: Int) {
        unreadable += page.unreadableResults.map { "\($0) of page \(number)" }
        if page.isEmpty, page.totalPages >= number { emptyPages.append(number) }
        for title in page.titles where seen.insert(Identity(mediaType: title.mediaType, id: title.id)).inserted {
            titles.append(title)
        }
    }
}
