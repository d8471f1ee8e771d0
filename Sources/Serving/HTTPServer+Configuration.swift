extension HTTPServer {
    /// Where to listen, and how much of anything a client may have.
    package struct Configuration: Sendable {
        /// The loopback by default, so that nobody else reaches the server.
        package var listen: [ListenAddress] = [.tcp(host: "127.0.0.1", port: 0)]
        /// Threads that serve, each with its share of the connections.
        package var workers = 1
        /// Others are answered with 405; nil lets the handler decide.
        ///
        /// Whatever is allowed: a body is read with POST, PUT, PATCH and DELETE alone. With any other method it is not, and the connection is
        /// closed after the answer.
        package var methods: [String]?
        /// What is added to the header of what the server answers by itself, such as that 405; called on its threads.
        package var refusalHeaders: @Sendable (ServerRequest) -> [(name: String, value: String)] = { _ in [] }

        /// More are answered with 503 and closed.
        package var connectionLimit = 1_000
        /// How many of those one client (an IPv4 address, or the /64 of an IPv6 address) may have; nil for all. Socket files are not counted.
        package var connectionsPerClient: Int?
        /// Request line and header together, at most: larger ones are answered with 414 or 431. Memory per connection is this and half as much again.
        package var maximumHeadBytes = 8_192
        /// A longer path and query are answered with 414.
        package var maximumTargetBytes = 4_096
        /// Larger request bodies are answered with 413.
        package var maximumBodyBytes = 1_000_000

        /// How long a connection may wait for its next request's first line.
        package var idleSeconds = 120
        /// How long a request may take to arrive, body included, however diligently it trickles.
        package var requestSeconds = 30
        /// How long a client may take to read an answer, beside what ``minimumBytesPerSecond`` grants for its length.
        package var answerSeconds = 30
        package var minimumBytesPerSecond = 2_000
        /// When the server stops: how long answers under way are waited for.
        package var drainSeconds = 0

        package init() {}
    }
}
