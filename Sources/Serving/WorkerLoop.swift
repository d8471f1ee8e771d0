internal import CLinux
internal import CMicroHTTPD
internal import Core
internal import Glibc

/// What a worker's thread does, turn after turn; only that thread touches it.
final class WorkerLoop {
    let configuration: HTTPServer.Configuration
    let dispatcher: Dispatcher
    let hook: HTTPServer.Hook?
    let refusals: Refusals
    /// Seconds of the monotonic clock, read once a turn.
    private(set) var now = MonotonicTime.seconds
    /// What is being handed to the library at this moment.
    private(set) var arriving: (descriptor: Int32, client: ClientAddress, listener: Int)?

    private let listeners: Listeners
    private let counts: ConnectionCounts
    let wake: Int32
    private let epoll: Int32
    private let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: WorkerLoop.eventCount)
    private var daemon: OpaquePointer?
    private var connections: [Connection] = []
    private var isListening = false
    private var nextSweep = 0
    private var drainDeadline: Int?

    init(
        listeners: Listeners, connections counts: ConnectionCounts, configuration: HTTPServer.Configuration, dispatcher: Dispatcher,
        hook: HTTPServer.Hook?, wake: Int32
    ) throws(HTTPServerError) {
        self.listeners = listeners
        self.counts = counts
        self.configuration = configuration
        self.dispatcher = dispatcher
        self.hook = hook
        self.wake = wake
        refusals = Refusals(methods: configuration.methods)
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        daemon = startDaemon()
        guard epoll >= 0, let daemon, watch(wake, as: Self.wakeTag), watch(posterity_mhd_epoll(daemon), as: Self.daemonTag) else {
            throw HTTPServerError(code: .system, description: "cannot start the server: \(systemText(errno))")
        }
    }

    deinit {
        close()
        events.deallocate()
        if epoll >= 0 { Glibc.close(epoll) }
    }

    // MARK: - Turns

    /// Begins to accept. To be called once, on the thread.
    func open() {
        // A client that has gone is an error of sendfile, not the process's end.
        var pipe = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipe, nil)
        listen()
    }

    /// Waits until something happens, and does what is to be done then.
    func turn() {
        var milliseconds: UInt64 = 0
        let isPending = MHD_get_timeout(daemon, &milliseconds) == .YES && milliseconds == 0
        let patience: Int32 = isPending ? 0 : drainDeadline != nil ? 100 : connections.isEmpty && isListening ? -1 : 1_000
        let count = epoll_wait(epoll, events, Int32(Self.eventCount), patience)
        now = MonotonicTime.seconds
        for index in 0..<Int(max(0, count)) {
            switch events[index].data.u64 {
            case Self.daemonTag: break
            case Self.wakeTag:
                var value: eventfd_t = 0
                eventfd_read(wake, &value)
            case let tag: accept(from: Int(tag - Self.firstListenerTag), atMost: Self.acceptsPerTurn)
            }
        }
        MHD_run(daemon)
        if now >= nextSweep {
            nextSweep = now + 1
            sweep()
        }
    }

    /// Accepts no more and ends each connection as soon as it has nothing under way, all of them when `seconds` are over.
    func drain(seconds: Int) {
        guard drainDeadline == nil else { return }
        // Whoever has been let in by the system already is served: it has done nothing wrong.
        for index in listeners.descriptors.indices { accept(from: index, atMost: .max) }
        unlisten()
        listeners.refuse()
        MHD_run(daemon)
        drainDeadline = now + seconds
        for connection in connections where connection.phase == .waiting { connection.end() }
    }

    /// Whether there is nothing more to wait for before the server stops.
    var isDrained: Bool {
        guard let drainDeadline else { return false }
        return connections.isEmpty || now >= drainDeadline
    }

    var isDraining: Bool { drainDeadline != nil }

    /// Closes every connection.
    func close() {
        guard let daemon else { return }
        self.daemon = nil
        // What was resumed a moment ago gets the chance to say its last.
        MHD_run(daemon)
        MHD_stop_daemon(daemon)
    }

    // MARK: - Connections

    func add(_ connection: Connection) {
        arriving = nil
        connection.deadline = now + configuration.requestSeconds
        connection.index = connections.count
        connections.append(connection)
    }

    func remove(_ connection: Connection) {
        let last = connections.removeLast()
        if last !== connection {
            connections[connection.index] = last
            last.index = connection.index
        }
        counts.release(connection.client)
    }

    /// Ends those that have taken too long.
    private func sweep() {
        for connection in connections where now >= connection.deadline { connection.end() }
        if !isListening, drainDeadline == nil { listen() }
    }

    // MARK: - Accepting

    private func accept(from index: Int, atMost count: Int) {
        for _ in 0..<count {
            var address = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let descriptor = withUnsafeMutableBytes(of: &address) {
                accept4(
                    listeners.descriptors[index], $0.assumingMemoryBound(to: sockaddr.self).baseAddress, &length, Self.socketFlags)
            }
            guard descriptor >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                // Out of descriptors or memory: asking again at once would only spin. The next sweep listens again.
                if errno != EAGAIN { unlisten() }
                return
            }
            let client = ClientAddress(address)
            guard counts.admit(client) else {
                refuse(descriptor)
                continue
            }
            arriving = (descriptor, client, index)
            _ = withUnsafeBytes(of: &address) {
                MHD_add_connection(daemon, descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, length)
            }
            // The library has closed it without telling us.
            if arriving != nil {
                arriving = nil
                counts.release(client)
            }
        }
    }

    private func refuse(_ descriptor: Int32) {
        _ = Refusals.tooMany.withUTF8Buffer { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)) }
        Glibc.close(descriptor)
    }

    private func listen() {
        isListening = true
        for (index, descriptor) in listeners.descriptors.enumerated() {
            // Exclusive: a new connection wakes one worker, not all.
            _ = watch(descriptor, as: Self.firstListenerTag + UInt64(index), EPOLLIN.rawValue | EPOLLEXCLUSIVE.rawValue)
        }
    }

    private func unlisten() {
        guard isListening else { return }
        isListening = false
        for descriptor in listeners.descriptors { epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil) }
    }

    private func watch(_ descriptor: Int32, as tag: UInt64, _ kind: UInt32 = EPOLLIN.rawValue) -> Bool {
        var event = epoll_event(events: kind, data: epoll_data_t(u64: tag))
        return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0
    }

    private static let socketFlags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    private static let eventCount = 16
    /// Few, so that a crowd that comes at once is shared among the workers.
    private static let acceptsPerTurn = 4
    private static let daemonTag: UInt64 = 0
    private static let wakeTag: UInt64 = 1
    private static let firstListenerTag: UInt64 = 2
}
