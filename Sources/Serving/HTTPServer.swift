/// An HTTP/1.1 server with keep-alive on one thread of its own.
///
/// One thread, because the answers are in memory and the machine's cores are wanted for other things: a request costs some tens of
/// microseconds. Whatever takes time is answered ``ServerAnswer/later(_:)`` by a task and holds nobody up.
package struct HTTPServer: Sendable {
    package struct Configuration: Sendable {
        /// An IP address; the loopback by default, so that nobody else reaches the server.
        package var host = "127.0.0.1"
        /// 0 for any port that is free.
        package var port = 0
        /// Larger request bodies are answered with 413.
        package var maximumBodyBytes = 1_000_000
        package var connectionLimit = 1_000
        /// An idle connection is closed after this long.
        package var idleSeconds = 120

        package init() {}
    }

    package typealias Handler = @Sendable (ServerRequest) -> ServerAnswer

    package let host: String
    /// The bound port.
    package let port: Int

    /// `http://127.0.0.1:8080`, without a slash at the end.
    package var url: String {
        host.utf8.contains(UInt8(ascii: ":")) ? "http://[\(host)]:\(port)" : "http://\(host):\(port)"
    }

    /// Serves while `body` runs, and ends every connection and every task when it returns or throws.
    ///
    /// - Parameter handler: is called on the server's thread and must not block it.
    /// - Throws: `HTTPServerError` if it cannot start; else what `body` throws.
    package static func withServer<Value>(
        _ configuration: Configuration = Configuration(), handler: @escaping Handler, _ body: (HTTPServer) async throws -> Value
    ) async throws -> Value {
        let socket = try ListeningSocket(host: configuration.host, port: configuration.port)
        let server = HTTPServer(host: configuration.host, port: socket.port)
        let dispatcher = Dispatcher(handler: handler, port: socket.port, maximumBodyBytes: configuration.maximumBodyBytes)
        let daemon = try Daemon(socket: socket, configuration: configuration, dispatcher: dispatcher)
        let result: Result<Value, any Error> = await withTaskGroup(of: Void.self) { group in
            group.addTask { await dispatcher.runTasks() }
            let result: Result<Value, any Error>
            do {
                result = .success(try await body(server))
            } catch {
                result = .failure(error)
            }
            dispatcher.close()
            return result
        }
        dispatcher.abandonRest()
        daemon.stop()
        return try result.get()
    }
}
