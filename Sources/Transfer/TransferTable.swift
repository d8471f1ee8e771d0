internal import CCurl
internal import Core
internal import struct Synchronization.Atomic

/// All transfers of one loop: those under way, those that wait for their origin, and the easy handles at rest. Lives on the loop's thread.
final class TransferTable {
    /// What goes on at one origin.
    ///
    /// libcurl could queue transfers itself, but counts that time against the connect timeout; here they wait before they start.
    private struct Origin {
        var running = 0
        var waiting: [TransferLoop.Order] = []
        /// How many transfers may run: as many as connections, until the origin is known to carry many on one.
        var limit: Int
    }

    /// What servers commonly allow on one HTTP/2 connection.
    private static let streamsPerOrigin = 100

    private let multi: UnsafeMutableRawPointer
    private let share: UnsafeMutableRawPointer
    private let configuration: HTTPClient.Configuration
    private let count: ((inout TransferStatistics) -> Void) -> Void
    private var running: [UnsafeMutableRawPointer: Transfer] = [:]
    private var origins: [String: Origin] = [:]
    private var idleHandles: [EasyHandle] = []

    init(
        multi: UnsafeMutableRawPointer, configuration: HTTPClient.Configuration,
        count: @escaping ((inout TransferStatistics) -> Void) -> Void
    ) {
        guard let share = curl_share_init() else { ProcessEnd.failure("libcurl has no memory for a share handle") }
        // A multi handle shares names and connections by itself, but TLS sessions only through a share. No lock is needed on one thread.
        _ = shim_share_data(share, CURL_LOCK_DATA_SSL_SESSION)
        self.multi = multi
        self.share = share
        self.configuration = configuration
        self.count = count
    }

    /// No longer than this may pass before ``advance()`` is called again; libcurl shortens it by its own timers.
    var longestWaitMilliseconds: Int32 {
        let next = origins.values.lazy.flatMap(\.waiting).map(\.plan.timeLeft.milliseconds).min() ?? 60_000
        return Int32(max(1, min(next, 60_000)))
    }

    /// Starts an order's transfer, or lets it wait for its turn.
    func accept(_ order: TransferLoop.Order) {
        if order.ticket.isCancelled.load(ordering: .acquiring) {
            order.continuation.resume(returning: .failure(.cancelled(order.plan.address)))
            return
        }
        let name = order.plan.address.origin
        var origin = origins[name] ?? Origin(limit: max(1, configuration.connectionsPerHost))
        if origin.running < origin.limit {
            origin.running += 1
            origins[name] = origin
            start(order)
        } else {
            origin.waiting.append(order)
            origins[name] = origin
        }
    }

    func cancel(_ ticket: TransferLoop.Ticket) {
        if let transfer = running.values.first(where: { $0.order.ticket === ticket }) {
            finish(transfer, .failure(.cancelled(transfer.order.plan.address)))
            return
        }
        for (name, origin) in origins {
            guard let index = origin.waiting.firstIndex(where: { $0.ticket === ticket }) else { continue }
            let order = origin.waiting[index]
            origins[name]?.waiting.remove(at: index)
            order.continuation.resume(returning: .failure(.cancelled(order.plan.address)))
            return
        }
    }

    /// Lets libcurl read and write, and hands out what is complete.
    func advance() {
        var isSettled = false
        while !isSettled {
            var runningCount: Int32 = 0
            curl_multi_perform(multi, &runningCount)
            var left: Int32 = 0
            isSettled = true
            while let message = curl_multi_info_read(multi, &left) {
                guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle, let transfer = running[easy] else {
                    continue
                }
                finish(transfer, transfer.outcome(of: shim_message_result(message)))
                // Another may have started in its place.
                isSettled = false
            }
        }
        for (name, origin) in origins where origin.waiting.contains(where: { $0.plan.timeLeft <= .zero }) {
            let late = origin.waiting.filter { $0.plan.timeLeft <= .zero }
            origins[name]?.waiting.removeAll { $0.plan.timeLeft <= .zero }
            for order in late { order.continuation.resume(returning: .failure(order.plan.timedOut)) }
        }
    }

    /// Ends every transfer as cancelled and frees what belongs to the thread.
    func end() {
        let waiting = origins.values.flatMap(\.waiting)
        origins = [:]
        for order in waiting { order.continuation.resume(returning: .failure(.cancelled(order.plan.address))) }
        for transfer in Array(running.values) { finish(transfer, .failure(.cancelled(transfer.order.plan.address))) }
        idleHandles = []
        curl_multi_cleanup(multi)
        curl_share_cleanup(share)
    }

    // MARK: - Private

    private func start(_ order: TransferLoop.Order) {
        let handle = idleHandles.popLast() ?? EasyHandle()
        let transfer = Transfer(order: order, handle: handle, configuration: configuration)
        transfer.prepare(share: share)
        running[handle.pointer] = transfer
        count { $0.requests += 1 }
        curl_multi_add_handle(multi, handle.pointer)
    }

    private func finish(_ transfer: Transfer, _ outcome: TransferLoop.Outcome) {
        let handle = transfer.handle
        running[handle.pointer] = nil
        let connections = handle.number(CURLINFO_NUM_CONNECTS)
        let bytes = handle.offset(CURLINFO_SIZE_DOWNLOAD_T)
        count {
            $0.connectionsOpened += connections
            $0.bytesReceived += bytes
        }
        let isMultiplexed = handle.number(CURLINFO_HTTP_VERSION) >= Int(CURL_HTTP_VERSION_2_0)
        curl_multi_remove_handle(multi, handle.pointer)
        handle.reset()
        idleHandles.append(handle)
        transfer.order.continuation.resume(returning: outcome)
        release(transfer.order.plan.address.origin, isMultiplexed: isMultiplexed)
    }

    /// Gives the place of a finished transfer to those that wait for it.
    private func release(_ name: String, isMultiplexed: Bool) {
        guard var origin = origins[name] else { return }
        origin.running -= 1
        if isMultiplexed { origin.limit = max(origin.limit, Self.streamsPerOrigin) }
        let admitted = origin.waiting.prefix(origin.limit - origin.running)
        origin.waiting.removeFirst(admitted.count)
        origin.running += admitted.count
        origins[name] = origin
        for order in admitted { start(order) }
    }
}
