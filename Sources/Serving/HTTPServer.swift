internal import Core

/// An HTTP/1.1 server with keep-alive, on some threads of its own and any number of addresses.
///
/// Its handler answers at once from what is in memory; whatever takes time is answered ``ServerAnswer/later(_:)`` by a task and holds nobody up.
package struct HTTPServer: Sendable {
    package typealias Handler = @Sendable (ServerRequest) -> ServerAnswer
    package typealias Hook = @Sendable (ServedRequest) -> Void

    /// Where it listens, in the configuration's order, with the ports that the system chose.
    package let addresses: [ListenAddress]
    private let connections: ConnectionCounts

    /// The first address: `http://127.0.0.1:8080`, without a slash at the end.
    package var url: String { addresses[0].url }

    /// The first TCP address's bound port; 0 when there are only socket files.
    package var port: Int { addresses.lazy.compactMap(\.port).first ?? 0 }

    /// How many connections are open, and how many were accepted and refused since the start.
    package var statistics: ServerStatistics { connections.statistics }

    /// Serves while `body` runs; then accepts no more, lets answers under way be finished within the configured time, and ends every
    /// connection and every task.
    ///
    /// - Parameters:
    ///   - handler: is called on a worker's thread and must not block it.
    ///   - hook: is called there too, once for every request when it is over, also for one that the server refused by itself after it had
    ///     read its first line; must not block either.
    /// - Throws: `HTTPServerError` if it cannot start; else what `body` throws.
    package static func withServer<Value>(
        _ configuration: Configuration = Configuration(), handler: @escaping Handler, afterResponse hook: Hook? = nil,
        _ body: (HTTPServer) async throws -> Value
    ) async throws -> Value {
        let listeners = try Listeners(configuration.listen)
        let connections = ConnectionCounts(limit: configuration.connectionLimit, limitPerClient: configuration.connectionsPerClient)
        let dispatcher = Dispatcher(handler: handler)
        var workers: [Worker] = []
        for _ in 0..<max(1, configuration.workers) {
            workers.append(
                try Worker(
                    listeners: listeners, connections: connections, configuration: configuration, dispatcher: dispatcher, hook: hook))
        }
        let server = HTTPServer(addresses: listeners.addresses, connections: connections)
        return try await WorkerThreads.withThreads(workers.count, named: "serving") { [workers] threads in
            await withTaskGroup(of: Void.self) { group in
                for worker in workers {
                    group.addTask { await threads.run { worker.run() } }
                }
                // Not a child: a cancelled server still finishes the answers under way, and cancels them itself when their time is over.
                let tasks = Task { await dispatcher.runTasks() }
                let result: Result<Value, any Error>
                do {
                    result = .success(try await body(server))
                } catch {
                    result = .failure(error)
                }
                for worker in workers { worker.drain(seconds: configuration.drainSeconds) }
                for worker in workers { await worker.drained() }
                dispatcher.close()
                await tasks.value
                dispatcher.abandonRest()
                for worker in workers { worker.stop() }
                return result
            }
        }.get()
    }
}
