internal import Amodb
internal import Core
internal import Storage
internal import Transfer

/// The hosts that a verb talks to, as its flags say.
struct Network {
    let client: HTTPClient
    let governor: HostGovernor
    private let api: WebAddress
    let images: WebAddress
    private let key: Secret?
    /// Where the key came from, as the advice on it calls that.
    private let keySource: String
    /// Requests that the API may be sent in a minute; nil for no limit.
    private let requestsPerMinute: Int?
    private let log: Log

    static let flags: [any AnyFlag] = [
        Flags.keyFile, Flags.api, Flags.images, Flags.pace, Flags.insecureHTTP, Flags.certificateAuthorities, Flags.concurrency,
    ]
    /// What the API's smallest plan allows. A run that asks for no more pages than this does not wait at all.
    private static let smallestPlan = 20

    /// Runs `body` with the network that `arguments` describe. Nothing is sent before `body` asks for something.
    static func withNetwork<Value>(_ arguments: Arguments, _ context: Context, _ body: (Network) async throws -> Value) async throws
        -> Value
    {
        let key = try KeySource.key(file: arguments[Flags.keyFile], context.environment) { context.log.warning($0) }
        let api = try address(arguments[Flags.api], of: Flags.api, arguments)
        let images = try address(arguments[Flags.images], of: Flags.images, arguments)
        return try await withImageHosts(arguments, context) { client, governor in
            try await body(
                Network(
                    client: client, governor: governor, api: api, images: images, key: key.map { Secret($0) },
                    keySource: arguments[Flags.keyFile].map { "the key file \($0)" } ?? "AMODB_KEY",
                    requestsPerMinute: arguments[Flags.pace] ?? (api.isLoopback ? nil : smallestPlan), log: context.log))
        }
    }

    /// Runs `body` with a client and a governor for hosts that need no key.
    static func withImageHosts<Value>(
        _ arguments: Arguments, _ context: Context, _ body: (HTTPClient, HostGovernor) async throws -> Value
    ) async throws -> Value {
        var configuration = HTTPClient.Configuration()
        configuration.allowsInsecureHTTP = arguments[Flags.insecureHTTP]
        configuration.certificateAuthorityFile = arguments[Flags.certificateAuthorities]
        configuration.userAgent = "posterity/\(context.program.version)"
        var limits = HostGovernor.Limits()
        limits.parallelPerHost = arguments[Flags.concurrency]
        return try await HTTPClient.withClient(configuration, log: context.log) { client in
            try await body(client, HostGovernor(client: client, clock: .system, log: context.log, limits: limits))
        }
    }

    /// The movie API, which keeps its answers in `cache`, and its pace with all other processes that use it.
    func amodb(_ cache: Cache) -> AmodbClient {
        // The limit is counted by key; what is written down does not tell it.
        let account = "\(api.host) \(key?.fingerprint ?? "")"
        let pace = requestsPerMinute.map { limit in
            RequestPace(perMinute: limit, log: log, counted: { try await cache.countedRequests(account: account) }) {
                try await cache.reserveRequest(account: account, perMinute: limit)
            }
        }
        return amodb(AnswerStore(cache), pace ?? .unlimited)
    }

    /// The movie API, asked without a trace: `answers` are used and none is kept.
    func amodb(reading answers: AnswerStore) -> AmodbClient {
        let pace = requestsPerMinute.map { RequestPace.ofThisProcess(perMinute: $0, clock: .system, log: log) }
        return amodb(answers.readOnly, pace ?? .unlimited)
    }

    private func amodb(_ answers: AnswerStore, _ pace: RequestPace) -> AmodbClient {
        AmodbClient(
            base: api, key: key, keySource: keySource, governor: governor, answers: answers, pace: pace, clock: .system, log: log)
    }

    private static func address(_ text: String, of flag: Flag<String>, _ arguments: Arguments) throws -> WebAddress {
        let address: WebAddress
        do {
            address = try WebAddress(text)
        } catch {
            throw UsageError("--\(flag.facts.name): \(error)")
        }
        guard address.scheme == "https" || address.isLoopback || arguments[Flags.insecureHTTP] else {
            throw UsageError(
                "--\(flag.facts.name): \(address) is plain http, which only this machine is asked by; add --insecure-http to insist")
        }
        return address
    }
}

extension AnswerStore {
    /// Answers in the cache's index.
    init(_ cache: Cache) {
        self.init(
            load: { url in try await cache.answer(for: url).map { Answer(body: $0.body, fetchedAt: $0.fetchedAt) } },
            save: { url, answer in try await cache.keep(StoredAnswer(url: url, body: answer.body, fetchedAt: answer.fetchedAt)) })
    }

    /// The same answers, but new ones are not kept.
    var readOnly: AnswerStore {
        AnswerStore(load: load, save: { _, _ in })
    }
}
