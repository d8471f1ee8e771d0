internal import Core

/// Brings requests to the handler, and runs the tasks that answer later.
final class Dispatcher: Sendable {
    private struct Pending {
        var exchanges: [ObjectIdentifier: Exchange] = [:]
        var isClosed = false
    }

    private struct Job {
        let exchange: Exchange
        let answer: ServerAnswer
    }

    let maximumBodyBytes: Int
    private let port: Int
    private let handler: HTTPServer.Handler
    private let jobs: AsyncStream<Job>
    private let queue: AsyncStream<Job>.Continuation
    /// Suspended connections. libmicrohttpd ends the process if one is left when it stops, so every one is accounted for here.
    private let pending = Mutex(Pending())

    init(handler: @escaping HTTPServer.Handler, port: Int, maximumBodyBytes: Int) {
        self.handler = handler
        self.port = port
        self.maximumBodyBytes = maximumBodyBytes
        (jobs, queue) = AsyncStream.makeStream()
    }

    /// The response to queue now; nil when a task will give it, or when the connection is to be closed (the exchange's stage tells which).
    func answer(_ request: ServerRequest, in exchange: Exchange) -> ServerResponse? {
        var request = request
        request.port = port
        let answer = handler(request)
        if case .now(let response) = answer { return response }
        let isAdmitted = pending.withLock { pending in
            guard !pending.isClosed else { return false }
            pending.exchanges[ObjectIdentifier(exchange)] = exchange
            return true
        }
        guard isAdmitted else { return nil }
        exchange.suspend()
        if case .terminated = queue.yield(Job(exchange: exchange, answer: answer)) { finish(exchange, with: nil) }
        return nil
    }

    /// Runs the tasks until ``close()``, and cancels those that are then still at work.
    func runTasks() async {
        await withDiscardingTaskGroup { group in
            for await job in jobs {
                group.addTask { await self.run(job) }
            }
            group.cancelAll()
        }
    }

    /// No more tasks from here on.
    func close() {
        pending.withLock { $0.isClosed = true }
        queue.finish()
    }

    /// Closes the connections whose task never started.
    func abandonRest() {
        let rest = pending.withLock { pending in
            pending.isClosed = true
            return Array(pending.exchanges.values)
        }
        for exchange in rest { finish(exchange, with: nil) }
    }

    // MARK: - Private

    private func run(_ job: Job) async {
        var answer = job.answer
        while case .later(let next) = answer { answer = await next() }
        switch answer {
        case .now(let response): finish(job.exchange, with: response)
        case .raw(let script):
            await script(job.exchange.raw)
            finish(job.exchange, with: nil)
        case .later: break
        }
    }

    private func finish(_ exchange: Exchange, with response: ServerResponse?) {
        exchange.finish(response)
        _ = pending.withLock { $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) }
    }
}
