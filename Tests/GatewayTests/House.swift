import Amodb
import Core
import FoundationEssentials
import Imaging
import Mirroring
import Serving
import StandIn
import Storage
import TestSupport
import Testing
import Transfer

@testable import Gateway

/// All tests of the gateway, one at a time: some of them use every connection and core that there is.
@Suite("The gateway", .serialized)
enum GatewayTests {}

/// A gateway in this process before a stand-in, with a cache, a clock that the test sets and everything that it wrote down.
struct House: Sendable {
    let standIn: StandIn
    /// Where clients find the gateway, without a slash at the end.
    let url: String
    /// Where its owner does.
    let admin: String
    let home: String
    let clock: SettableClock
    let log: LogBook

    static let key = "posterity-demo"

    var cache: String { home + "/cache" }
    var accessLog: String { home + "/access.log" }

    /// How a gateway is set up.
    struct Setup {
        var options: GatewayOptions
        var key: String? = House.key
        /// Nil for the stand-in's.
        var api: String?
        var images: String?
        /// Requests that the plan allows in a minute; nil for no limit.
        var plan: Int?
    }

    /// - Parameter setUp: changes what the gateway is set up with; the directory is where its files may be.
    static func with<Value: Sendable>(
        titles: Int? = 40, standIn: StandInOptions = StandInOptions(),
        _ setUp: @escaping @Sendable (inout Setup, String) throws -> Void = { _, _ in },
        _ body: @escaping @Sendable (House) async throws -> Value
    ) async throws -> Value {
        var standInOptions = standIn
        standInOptions.titles = titles
        standInOptions.imagesPort = 0
        return try await withTemporaryDirectory { home in
            try await StandIn.withStandIn(standInOptions) { standIn in
                let house = House(standIn: standIn, url: "", admin: "", home: home, clock: SettableClock(), log: LogBook())
                return try await house.opened(setUp, body)
            }
        }
    }

    /// The same house with a gateway of its own, on the same cache: what a restart leaves.
    func opened<Value: Sendable>(
        _ setUp: @escaping @Sendable (inout Setup, String) throws -> Void = { _, _ in },
        _ body: @escaping @Sendable (House) async throws -> Value
    ) async throws -> Value {
        var setup = Setup(options: GatewayOptions())
        setup.options.listen = [try ListenAddress("127.0.0.1:0")]
        setup.options.admin = try ListenAddress("127.0.0.1:0")
        setup.options.sizes = ["w92", "w185", "w342"].compactMap(PosterSize.init)
        setup.options.accessLog = .lines
        setup.options.accessLogFile = accessLog
        setup.options.workers = 2
        setup.options.drainSeconds = 2
        try setUp(&setup, home)
        let final = setup
        let (ready, announce) = AsyncStream<(String, String)>.makeStream()
        let serving = Task {
            defer { announce.finish() }
            try await serve(final) { addresses, admin in announce.yield((addresses[0].url, admin?.url ?? "")) }
        }
        var result: Result<Value, any Error>?
        for await (url, admin) in ready {
            let house = House(standIn: standIn, url: url, admin: admin, home: home, clock: clock, log: log)
            do { result = .success(try await body(house)) } catch { result = .failure(error) }
            serving.cancel()
        }
        try await serving.value
        guard let result else { throw TestSupportError("the gateway ended before it listened") }
        return try result.get()
    }

    private func serve(_ setup: Setup, ready: @escaping @Sendable ([ListenAddress], ListenAddress?) async throws -> Void) async throws {
        let (clock, log) = (clock.wallClock, log.log)
        try await Cache.withCache(at: cache, access: .readWriteBearingRemoval, clock: clock, log: log) { cache in
            try await HTTPClient.withClient(log: log) { client in
                try await Renderer.withRenderer(threads: 2) { renderer in
                    let governor = HostGovernor(client: client, clock: clock, log: log, retryBudget: .max)
                    let pace = setup.plan.map { plan in
                        RequestPace(perMinute: plan, log: log) { try await cache.reserveRequest(account: "plan", perMinute: plan) }
                    }
                    let services = GatewayServices(
                        api: try WebAddress(setup.api ?? standIn.apiURL), images: try WebAddress(setup.images ?? standIn.imagesURL),
                        key: setup.key.map { Secret($0) }, keySource: "AMODB_KEY", pace: pace ?? .unlimited,
                        mirror: MirrorServices(client: client, governor: governor, renderer: renderer, cache: cache, clock: clock, log: log)
                    )
                    try await Gateway.serve(setup.options, services, ready: ready)
                }
            }
        }
    }

    // MARK: - What a test asks

    /// Asks the gateway with curl.
    func get(_ target: String, _ arguments: String...) async throws -> Reply {
        try await Reply(of: url + target, arguments)
    }

    /// The first title's poster path.
    var poster: String {
        get throws { try #require(standIn.titles(in: "trending/movie/week")?.first?.posterPath) }
    }

    /// How often the stand-in was asked, by area (`api`, `images`).
    func count(of area: String) -> Int { standIn.counts[area] ?? 0 }

    /// Waits until `condition` holds.
    func wait(until condition: () async throws -> Bool) async throws {
        let start = ContinuousClock.now
        while try await !condition() {
            guard ContinuousClock.now - start < .seconds(60) else { throw TestSupportError("what was waited for did not come") }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}

/// An answer as curl got it.
struct Reply: Sendable {
    let status: Int
    let headers: [(name: String, value: String)]
    let body: [UInt8]
    /// Everything, as it came.
    let bytes: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    /// `hit`, `miss` or `stale`.
    var cache: String? { self["X-Cache"] }

    subscript(name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

    init(of url: String, _ arguments: [String]) async throws {
        // As it is written: curl would resolve dot segments and expand brackets.
        try self.init(await Tool.run("curl", ["-sS", "-i", "--path-as-is", "-g", "--max-time", "60"] + arguments + [url]))
    }

    private init(_ bytes: [UInt8]) throws {
        let end = try #require(bytes.indices.first { bytes[$0...].starts(with: [13, 10, 13, 10]) })
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        status = try #require(Int(lines[0].split(separator: " ")[1]))
        headers = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), String(parts[1].drop { $0 == " " }))
        }
        body = Array(bytes[(end + 4)...])
        self.bytes = bytes
    }
}
