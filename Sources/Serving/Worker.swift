internal import CLinux
internal import Core
internal import Glibc

/// One thread's share of a server: accepts connections, has libmicrohttpd serve them, and ends those that take too long.
///
/// Everything of a connection happens on its worker's thread, so nothing of it needs a lock. Other threads only leave word here.
final class Worker: Sendable {
    private struct Orders {
        var drainSeconds: Int?
        var isDrained = false
        var stops = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    // Made here so that a failure is known before the thread runs, and then touched by that thread alone, in `run`.
    private nonisolated(unsafe) let loop: WorkerLoop
    private let orders = Mutex(Orders())
    private let wake: WakeDescriptor

    init(
        listeners: Listeners, connections: ConnectionCounts, configuration: HTTPServer.Configuration, dispatcher: Dispatcher,
        hook: HTTPServer.Hook?
    ) throws(HTTPServerError) {
        wake = try WakeDescriptor()
        loop = try WorkerLoop(
            listeners: listeners, connections: connections, configuration: configuration, dispatcher: dispatcher, hook: hook,
            wake: wake.descriptor)
    }

    /// Serves until ``stop()``. Called once, on the worker's thread.
    func run() {
        loop.open()
        while true {
            let (drainSeconds, stops) = orders.withLock { ($0.drainSeconds, $0.stops) }
            if let drainSeconds { loop.drain(seconds: drainSeconds) }
            if loop.isDrained { resumeWaiter() }
            if stops { break }
            loop.turn()
        }
        loop.close()
    }

    /// Accepts no more, and ends each connection when its request under way is answered, but `seconds` from now at the latest.
    func drain(seconds: Int) {
        orders.withLock { $0.drainSeconds = seconds }
        wake.signal()
    }

    /// Returns when no connection is left, or the time for it is over.
    func drained() async {
        await withCheckedContinuation { continuation in
            let isDrained = orders.withLock { orders in
                if !orders.isDrained { orders.waiter = continuation }
                return orders.isDrained
            }
            if isDrained { continuation.resume() }
        }
    }

    /// Closes all connections. None may have a task at work.
    func stop() {
        orders.withLock { $0.stops = true }
        wake.signal()
    }

    private func resumeWaiter() {
        let waiter = orders.withLock { orders in
            orders.isDrained = true
            defer { orders.waiter = nil }
            return orders.waiter
        }
        waiter?.resume()
    }
}

/// Wakes a thread that waits in epoll.
private final class WakeDescriptor: Sendable {
    let descriptor: Int32

    init() throws(HTTPServerError) {
        descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard descriptor >= 0 else {
            throw HTTPServerError(code: .system, description: "cannot start the server: \(systemText(errno))")
        }
    }

    deinit {
        close(descriptor)
    }

    func signal() {
        eventfd_write(descriptor, 1)
    }
}
