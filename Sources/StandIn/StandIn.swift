internal import Core
internal import FoundationEssentials
internal import Imaging
internal import Serving

/// A movie API and its image host on this machine, with invented titles and with faults on demand.
///
/// For the demo, for tests and for benchmarks: it answers what the real hosts would, the same in every run, and goes wrong only as told.
package final class StandIn: Sendable {
    /// The API's root, such as `http://127.0.0.1:8080/3`.
    package let apiURL: String
    /// The image host's root, such as `http://127.0.0.1:8080/t/p`.
    package let imagesURL: String
    /// Where faults are set and requests looked up, such as `http://127.0.0.1:8080/control`.
    package let controlURL: String
    private let site: Site

    private init(site: Site, api: HTTPServer, images: HTTPServer) {
        self.site = site
        apiURL = api.url + "/3"
        imagesURL = images.url + "/t/p"
        controlURL = api.url + "/control"
    }

    /// Runs `body` with a stand-in that is ready, and stops it when `body` returns or throws.
    ///
    /// - Throws: `HTTPServerError` if it cannot listen; else what `body` throws.
    package static func withStandIn<Value>(
        _ options: StandInOptions = StandInOptions(), _ body: (StandIn) async throws -> Value
    ) async throws -> Value {
        let catalogue = options.titles.map { Catalogue(movies: $0) } ?? Catalogue()
        let threads = options.paintThreads ?? ProcessInfo.processInfo.activeProcessorCount
        return try await PosterPainter.withPainter(threads: threads) { painter in
            let posters = PosterStore(painter: painter, directory: options.store, memoryBytes: options.memoryBytes)
            let site = Site(options: options, catalogue: catalogue, posters: posters)
            return try await withServers(options, site) { api, images in
                if options.prepaints { try await posters.prepaint(catalogue, threads: threads) }
                return try await body(StandIn(site: site, api: api, images: images))
            }
        }
    }

    /// Runs a stand-in until the task is cancelled; being cancelled is its proper end, not an error.
    ///
    /// - Parameter ready: is called once it listens (and has painted, if told to beforehand), to make its addresses known.
    package static func run(_ options: StandInOptions, ready: (StandIn) async throws -> Void) async throws {
        do {
            try await withStandIn(options) { standIn in
                try await ready(standIn)
                while true { try await Task.sleep(for: .seconds(3_600)) }
            }
        } catch is CancellationError {}
    }

    // MARK: - Looking and steering, without a request

    /// What was asked, oldest first; at least the last 20,000 requests.
    package var requests: [RequestRecord] { site.log.records }

    /// How many requests there were: by area (`api`, `images`), by area and status (`images 304`), and `faults`.
    package var counts: [String: Int] { site.log.counts }

    /// The titles of a list in its order at present; nil when there is no such list.
    package func titles(in list: String, language: String = "en-US") -> [ListedTitle]? {
        site.catalogue.list(list, week: site.week)?.map { ListedTitle($0, in: .named(language)) }
    }

    /// Adds the rules in `text`, one a line.
    package func addFaults(_ text: String) throws(FaultRuleError) {
        site.faults.add(try FaultRule.rules(in: text))
    }

    package func removeFaults() { site.faults.removeAll() }

    /// No faults, nothing logged, nobody's plan used up.
    package func reset() { site.reset() }

    /// The week that the trending lists show.
    package var week: Int {
        get { site.week }
        set { site.week = newValue }
    }

    // MARK: - Private

    private static func withServers<Value>(
        _ options: StandInOptions, _ site: Site, _ body: (HTTPServer, HTTPServer) async throws -> Value
    ) async throws -> Value {
        var configuration = HTTPServer.Configuration()
        configuration.listen = [.tcp(host: options.host, port: options.port)]
        let handler: HTTPServer.Handler = { site.answer($0) }
        return try await HTTPServer.withServer(configuration, handler: handler) { api in
            guard let port = options.imagesPort else { return try await body(api, api) }
            configuration.listen = [.tcp(host: options.host, port: port)]
            return try await HTTPServer.withServer(configuration, handler: handler) { images in try await body(api, images) }
        }
    }
}
