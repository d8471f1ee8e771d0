internal import Core
internal import Glibc
package import Serving

extension Gateway {
    /// Serves until the task is cancelled; being cancelled is its proper end, not an error.
    ///
    /// Then it accepts no more, and finishes the answers under way within ``GatewayOptions/drainSeconds``.
    /// - Parameter ready: is called once it listens, with the addresses that clients and the owner find it at.
    /// - Throws: `HTTPServerError` when it cannot listen, ``TokenFileError``, an error when there can be no access log, or what `ready` throws.
    package static func serve(
        _ options: GatewayOptions, _ services: GatewayServices,
        ready: @escaping @Sendable (_ addresses: [ListenAddress], _ admin: ListenAddress?) async throws -> Void
    ) async throws {
        let options = options.within(FileLimit.raised())
        let tokens = try options.tokensFile.map { path throws(TokenFileError) in try TokenBook(TokenFile(path), log: services.log) }
        let accessLog = options.accessLog == .off ? nil : try AccessLog(options.accessLog, path: options.accessLogFile, log: services.log)
        try await WorkerThreads.withThreads(2, named: "gateway") { threads in
            let gateway = Gateway(options, services, tokens: tokens, accessLog: accessLog, threads: threads)
            // Not children: a cancelled gateway still finishes the answers under way, for which these do the work.
            let working = Task { await gateway.run() }
            let looking = Task { await tokens?.keepLooking(on: threads) }
            let result: Result<Void, any Error>
            do {
                try await gateway.listen(options, ready: ready)
                result = .success(())
            } catch {
                result = .failure(error)
            }
            gateway.close()
            looking.cancel()
            await working.value
            await looking.value
            await threads.run { accessLog?.close() }
            try result.get()
        }
    }

    private func listen(
        _ options: GatewayOptions, ready: @escaping @Sendable ([ListenAddress], ListenAddress?) async throws -> Void
    ) async throws {
        var configuration = HTTPServer.Configuration()
        configuration.listen = options.listen
        configuration.workers = options.workers
        configuration.methods = ["GET", "HEAD", "OPTIONS"]
        configuration.connectionLimit = options.connections
        if !options.isBehindProxy, options.listen.contains(where: { !$0.isLoopback }) {
            configuration.connectionsPerClient = max(Self.fewestConnections, options.connections / 10)
        }
        configuration.maximumTargetBytes = RequestTarget.maximumBytes
        configuration.maximumBodyBytes = 0
        configuration.drainSeconds = options.drainSeconds
        configuration.refusalHeaders = { self.refusalHeaders($0) }
        let server = Mutex<HTTPServer?>(nil)
        try await withAdmin(options, statistics: { server.withLock { $0?.statistics } }) { admin in
            try await HTTPServer.withServer(
                configuration, handler: { self.answer($0) }, afterResponse: { self.note($0) }
            ) { running in
                server.withLock { $0 = running }
                do {
                    try await ready(running.addresses, admin)
                    while true { try await Task.sleep(for: .seconds(3_600)) }
                } catch is CancellationError {
                    self.beginEnding()
                }
            }
        }
    }

    /// Runs `body` beside the owner's own server, if there is to be one: it must answer also when clients take all connections.
    private func withAdmin(
        _ options: GatewayOptions, statistics: @escaping @Sendable () -> ServerStatistics?, _ body: (ListenAddress?) async throws -> Void
    ) async throws {
        guard let address = options.admin else { return try await body(nil) }
        var configuration = HTTPServer.Configuration()
        configuration.listen = [address]
        configuration.methods = ["GET", "HEAD"]
        configuration.connectionLimit = 32
        configuration.maximumBodyBytes = 0
        try await HTTPServer.withServer(configuration, handler: { self.adminAnswer($0, statistics) }) { admin in
            try await body(admin.addresses[0])
        }
    }

    /// So many connections a client has in any case: a browser opens six, and a building shares one address.
    private static let fewestConnections = 64
}

/// How many files and connections the process may have open.
private enum FileLimit {
    /// As many as the system lets this process have.
    static func raised() -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return 1_024 }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(resource, &limit)
        _ = getrlimit(resource, &limit)
        return Int(min(limit.rlim_cur, 1_000_000))
    }
}

extension GatewayOptions {
    /// What the cache, the hosts and the libraries need.
    private static let otherFiles = 128

    /// These options with no more connections and open pictures than there may be files.
    fileprivate func within(_ files: Int) -> GatewayOptions {
        let spare = max(32, files - Self.otherFiles)
        var options = self
        options.openPictures = min(openPictures, max(4, spare / 8))
        options.connections = min(connections, max(16, spare - 2 * options.openPictures))
        return options
    }
}
