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

    private let handler: HTTPServer.Handler
    private let jobs: AsyncStream<Job>
    private let queue: AsyncStream<Job>.Continuation
    /// Suspended connections. libmicrohttpd ends the process if one is left when it stops, so every one is accounted for here.
    private let pending = Mutex(Pending())

    init(handler: @escaping HTTPServer.Handler) {
        self.handler = handler
        (jobs, queue) = AsyncStream.makeStream()
    }

    /// The response to queue now; nil when a task will give it, or when the connection is to be closed (the exchange's stage tells which).
    func answer(_ request: ServerRequest, in exchange: Exchange) -> PreparedResponse? {
        let answer = exchange.whileReadable { handler(request) }
        switch answer {
        case .prepared(let response): return response
        case .now(let response): return PreparedResponse(response)
        case .later, .raw: break
        }
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
        case .now(let response): finish(job.exchange, with: PreparedResponse(response))
        case .prepared(let response): finish(job.exchange, with: response)
        case .raw(let script):
            await script(job.exchange.raw)
            finish(job.exchange, with: nil)
        case .later: break
        }
    }

    private func finish(_ exchange: Exchange, with response: PreparedResponse?) {
        // Forgotten first: once the connection is handed back, this object's address may be another exchange's.
        _ = pending.withLock { $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) }
        exchange.finish(response)
    }
}
