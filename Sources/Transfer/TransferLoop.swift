internal import Core
internal import CCurl
internal import CLinux
internal import Glibc
internal import struct Synchronization.Atomic

/// The thread that all transfers run on: hands plans to libcurl's multi handle and answers to those who wait.
///
/// Other threads only put orders and cancellations into the inbox and wake the thread. Everything of libcurl's, wakeup excepted, is
/// touched by that thread alone.
final class TransferLoop: Sendable {
    typealias Outcome = Result<TransferHop, TransferError>

    /// A plan, and who waits for what becomes of it.
    struct Order: Sendable {
        let ticket: Ticket
        let plan: TransferPlan
        let continuation: CheckedContinuation<Outcome, Never>
    }

    /// One call's identity, and whether it has been cancelled: a cancellation may overtake its order.
    final class Ticket: Sendable {
        let isCancelled = Atomic(false)
    }

    private struct Inbox {
        var orders: [Order] = []
        var cancelled: [Ticket] = []
        var isStopped = false

        var isEmpty: Bool { orders.isEmpty && cancelled.isEmpty && !isStopped }
    }

    let configuration: HTTPClient.Configuration
    // Only the loop's thread uses the handle, and frees it at its end; the one exception is curl_multi_wakeup, made for other threads.
    private nonisolated(unsafe) let multi: UnsafeMutableRawPointer
    private let inbox = Mutex(Inbox())
    private let counts = Mutex(TransferStatistics())
    private let ending = Mutex<CheckedContinuation<Void, Never>?>(nil)

    init(_ configuration: HTTPClient.Configuration) {
        _ = Self.globalInitialisation
        guard let multi = curl_multi_init() else { ProcessEnd.failure(Self.noRoom) }
        self.configuration = configuration
        self.multi = multi
        let perHost = max(1, configuration.connectionsPerHost)
        _ = shim_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        _ = shim_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, perHost)
        // Room for every connection to a few hosts: libcurl closes the idle ones that do not fit.
        _ = shim_multi_set_long(multi, CURLMOPT_MAXCONNECTS, max(64, 4 * perHost))
    }

    var statistics: TransferStatistics { counts.withLock(\.self) }

    func start() {
        var thread = pthread_t()
        // Released by the thread itself, as its last act.
        let context = Unmanaged.passRetained(self)
        let failure = pthread_create(
            &thread, nil,
            { argument in
                Unmanaged<TransferLoop>.fromOpaque(argument!).takeRetainedValue().work()
                return nil
            }, context.toOpaque())
        guard failure == 0 else { ProcessEnd.withoutThread(failure) }
        pthread_detach(thread)
    }

    /// Ends what is left of the transfers as cancelled, closes all connections, and returns when that is done.
    func stop() async {
        await withCheckedContinuation { continuation in
            ending.withLock { $0 = continuation }
            post { $0.isStopped = true }
        }
    }

    /// Carries `plan` out. Ends at once, as `cancelled`, when the task is cancelled.
    func run(_ plan: TransferPlan) async throws(TransferError) -> TransferHop {
        let ticket = Ticket()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let order = Order(ticket: ticket, plan: plan, continuation: continuation)
                if !post({ $0.orders.append(order) }) { continuation.resume(returning: .failure(.cancelled(plan.address))) }
            }
        } onCancel: {
            ticket.isCancelled.store(true, ordering: .releasing)
            post { $0.cancelled.append(ticket) }
        }
        return try outcome.get()
    }

    // MARK: - Private

    /// libcurl must be initialised once per process, before its first use; it is never torn down, as another client may begin at any time.
    private static let globalInitialisation: Void = {
        let result = shim_global_init()
        guard result == CURLE_OK else { fatalError("libcurl cannot start: \(String(cString: curl_easy_strerror(result)))") }
    }()

    private static let noRoom = "libcurl cannot start: no memory, or too many files open (`ulimit -n`)"

    /// Puts something into the inbox and wakes the thread; false once the loop has stopped.
    @discardableResult
    private func post(_ change: (inout Inbox) -> Void) -> Bool {
        inbox.withLock { inbox in
            guard !inbox.isStopped else { return false }
            let isFirst = inbox.isEmpty
            change(&inbox)
            // Under the lock, which also guards the handle's life: once the loop has read that it is stopped, it frees the handle.
            if isFirst { curl_multi_wakeup(multi) }
            return true
        }
    }

    private func work() {
        blockSignals()
        pthread_setname_np(pthread_self(), "transfer")
        let table = TransferTable(multi: multi, configuration: configuration) { [self] change in counts.withLock { change(&$0) } }
        while true {
            let news = inbox.withLock { inbox in
                let news = inbox
                inbox.orders = []
                inbox.cancelled = []
                return news
            }
            for order in news.orders { table.accept(order) }
            for ticket in news.cancelled { table.cancel(ticket) }
            if news.isStopped { break }
            table.advance()
            var changed: Int32 = 0
            curl_multi_poll(multi, nil, 0, table.longestWaitMilliseconds, &changed)
        }
        table.end()
        ending.withLock { $0.take() }?.resume()
    }

    /// Signals are other threads' business; and a SIGPIPE, which OpenSSL can cause by writing to a closed connection, nobody's.
    private func blockSignals() {
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
    }
}
