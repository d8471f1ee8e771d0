internal import CLinux
internal import Core
internal import CMicroHTTPD

/// One request and its answer, from the request line to the last byte.
///
/// libmicrohttpd calls back several times per request, always on its connection's worker; a task may work out the answer in between, while
/// the connection is suspended.
final class Exchange: Sendable {
    enum Stage {
        case receiving
        /// A task is at work and the connection suspended.
        case working
        /// Worked out; the connection goes on and is to be answered so.
        case answered(PreparedResponse)
        /// Nothing more to say: the connection is to be closed.
        case over
    }

    private struct State {
        var stage = Stage.receiving
        /// Set while the library has the request's header in memory and the worker lets it be read.
        var isReadable = false
        /// What was copied of the header because a task may ask for it later.
        var copied: [(name: String, value: String)] = []
        var note: String?
    }

    /// As it came, before the percent encoding was undone, but without scheme and host.
    let target: String
    let client: ClientAddress
    let listener: Int
    // Its header is read only while `isReadable`, under the lock; else only its functions for suspending and resuming are called, which
    // may be from any thread. Valid until the completion callback, which does not come while the connection is suspended.
    private nonisolated(unsafe) let connection: OpaquePointer
    private let descriptor: Int32
    /// Wakes the worker: the library's own resuming does not, as it has no thread that would have to be woken.
    private let wake: Int32
    private let state = Mutex(State())

    init(target: String, client: ClientAddress, listener: Int, descriptor: Int32, connection: OpaquePointer, wake: Int32) {
        self.target = target
        self.client = client
        self.listener = listener
        self.descriptor = descriptor
        self.connection = connection
        self.wake = wake
    }

    var stage: Stage { state.withLock { $0.stage } }

    var note: String? {
        get { state.withLock { $0.note } }
        set { state.withLock { $0.note = newValue } }
    }

    // MARK: - The header

    /// Lets the header be read where the library keeps it, while `body` runs. On the worker's thread.
    func whileReadable<Value>(_ body: () -> Value) -> Value {
        state.withLock { $0.isReadable = true }
        defer { state.withLock { $0.isReadable = false } }
        return body()
    }

    func header(_ name: String) -> String? {
        state.withLock { state in
            guard state.isReadable else { return state.copied.first { $0.name.equalsIgnoringCase(name) }?.value }
            return MHD_lookup_connection_value(connection, .HEADER_KIND, name).map { String(cString: $0) }
        }
    }

    var headers: [(name: String, value: String)] {
        state.withLock { $0.isReadable ? allHeaders() : $0.copied }
    }

    private func allHeaders() -> [(name: String, value: String)] {
        var found: [(name: String, value: String)] = []
        withUnsafeMutablePointer(to: &found) { found in
            _ = MHD_get_connection_values(
                connection, .HEADER_KIND,
                { context, _, name, value in
                    guard let name else { return .YES }
                    let found = context!.assumingMemoryBound(to: [(name: String, value: String)].self)
                    found.pointee.append((String(cString: name), value.map { String(cString: $0) } ?? ""))
                    return .YES
                }, found)
        }
        return found
    }

    // MARK: - Answering later

    /// Takes the connection out of the server's hands until ``finish(_:)``. On the worker's thread.
    func suspend() {
        state.withLock { state in
            state.stage = .working
            state.copied = allHeaders()
        }
        MHD_suspend_connection(connection)
    }

    /// Hands the connection back, to be answered or, with nil, closed.
    func finish(_ response: PreparedResponse?) {
        let isFirst = state.withLock { state in
            guard case .working = state.stage else { return false }
            state.stage = response.map(Stage.answered) ?? .over
            return true
        }
        guard isFirst else { return }
        MHD_resume_connection(connection)
        eventfd_write(wake, 1)
    }

    /// The socket, for a script that writes to it while the connection is suspended.
    var raw: RawConnection { RawConnection(descriptor: descriptor) }
}
