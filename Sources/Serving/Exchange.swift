internal import Core
internal import CMicroHTTPD

/// One request and its answer, from the request line to the last byte.
///
/// libmicrohttpd calls back several times per request, always from its own thread; a task may work out the answer in between, while the
/// connection is suspended.
final class Exchange: Sendable {
    enum Stage {
        case receiving
        /// A task is at work and the connection suspended.
        case working
        /// Worked out; the connection goes on and is to be answered so.
        case answered(ServerResponse)
        /// Nothing more to say: the connection is to be closed.
        case over
    }

    private struct State {
        var stage = Stage.receiving
        var sawHeaders = false
        var body: [UInt8] = []
        var isTooLarge = false
    }

    /// As it came, before the percent encoding was undone.
    let target: String
    // Only its functions for suspending and resuming are called, which may be from any thread; valid until the completion callback,
    // which does not come while the connection is suspended.
    private nonisolated(unsafe) let connection: OpaquePointer
    private let state = Mutex(State())

    init(target: String, connection: OpaquePointer) {
        self.target = target
        self.connection = connection
    }

    var stage: Stage { state.withLock { $0.stage } }

    /// Whether this is the first call, which only says that the headers are there.
    func beginsNow() -> Bool {
        state.withLock { state in
            defer { state.sawHeaders = true }
            return !state.sawHeaders
        }
    }

    func receive(_ bytes: UnsafeRawBufferPointer, limit: Int) {
        state.withLock { state in
            if state.body.count + bytes.count > limit {
                state.isTooLarge = true
            } else {
                state.body.append(contentsOf: bytes)
            }
        }
    }

    /// The body; nil if it was larger than the limit.
    func body() -> [UInt8]? {
        state.withLock { $0.isTooLarge ? nil : $0.body }
    }

    /// Takes the connection out of the server's hands until ``finish(_:)``.
    func suspend() {
        state.withLock { $0.stage = .working }
        MHD_suspend_connection(connection)
    }

    /// Hands the connection back, to be answered or, with nil, closed.
    func finish(_ response: ServerResponse?) {
        let isFirst = state.withLock { state in
            guard case .working = state.stage else { return false }
            state.stage = response.map(Stage.answered) ?? .over
            return true
        }
        if isFirst { MHD_resume_connection(connection) }
    }

    /// The socket, for a script that writes to it while the connection is suspended.
    var raw: RawConnection {
        RawConnection(descriptor: posterity_mhd_socket(connection))
    }
}
