internal import CMicroHTTPD
internal import Core
internal import Glibc

extension WorkerLoop {
    /// A daemon whose callbacks know this loop, which outlives it.
    func startDaemon() -> OpaquePointer? {
        posterity_mhd_start(
            UInt32(configuration.connectionLimit + 1), configuration.maximumHeadBytes + configuration.maximumHeadBytes / 2,
            callAnswer, callBegin, callEnd, callNotify, Unmanaged.passUnretained(self).toOpaque())
    }

    // MARK: - A request's stations

    fileprivate func begin(_ target: UnsafePointer<CChar>, on connection: Connection) {
        connection.phase = .receiving
        connection.deadline = now + configuration.requestSeconds
        connection.began = MonotonicTime.nanoseconds
        let bytes = UnsafeBufferPointer(start: target, count: strlen(target))
        connection.target = bytes
        connection.isTargetClean = RequestHead.isClean(bytes)
        connection.exchange = Exchange(
            target: RequestHead.originForm(of: String(cString: target)), client: connection.client, listener: connection.listener,
            descriptor: connection.descriptor,
            connection: connection.handle, wake: wake)
    }

    /// The head is there: `.YES` to go on and read the body, if any.
    fileprivate func lookAtHead(
        of connection: Connection, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>, exchange: Exchange
    ) -> MHD_Result {
        let head = RequestHead(
            of: connection.handle, method: method, target: connection.target, isTargetClean: connection.isTargetClean, version: version)
        let name = String(cString: method)
        connection.request = ServerRequest(method: name, body: [], exchange: exchange)
        if head.refusal != 0 { return refuse(refusals.response(head.refusal), on: connection) }
        if connection.target.count > configuration.maximumTargetBytes { return refuse(refusals.targetTooLong, on: connection) }
        if let methods = configuration.methods, !methods.contains(name) { connection.refusal = refusals.methodNotAllowed }
        guard head.contentLength > 0 else { return .YES }
        // Answered before the body is read, which makes the library close the connection: whatever the body is, it is not the next request.
        guard connection.refusal == nil, Self.methodsWithBody.contains(name) else { return respond(to: connection, exchange) }
        // A little too much is read nevertheless, for the client to see why it is refused rather than a broken connection.
        if head.contentLength > configuration.maximumBodyBytes + 1_000_000 { return refuse(refusals.bodyTooLarge, on: connection) }
        return .YES
    }

    fileprivate func receive(_ bytes: UnsafeRawBufferPointer, on connection: Connection) {
        if connection.body.count + bytes.count > configuration.maximumBodyBytes {
            connection.refusal = refusals.bodyTooLarge
            connection.body = []
        } else if connection.refusal == nil {
            connection.body.append(contentsOf: bytes)
        }
    }

    /// All of it is there: asks the handler.
    fileprivate func respond(to connection: Connection, _ exchange: Exchange) -> MHD_Result {
        if let refusal = connection.refusal { return refuse(refusal, on: connection) }
        guard var request = connection.request else { return .NO }
        if !connection.body.isEmpty {
            request = ServerRequest(method: request.method, body: connection.body, exchange: exchange)
            connection.request = request
        }
        connection.phase = .working
        connection.deadline = .max
        if let response = dispatcher.answer(request, in: exchange) { return queue(response, on: connection) }
        if case .receiving = exchange.stage { return .NO }
        return .YES
    }

    /// Answers with what the server says by itself.
    private func refuse(_ refusal: PreparedResponse, on connection: Connection) -> MHD_Result {
        guard let request = connection.request, let exchange = connection.exchange else { return queue(refusal, on: connection) }
        let headers = exchange.whileReadable { configuration.refusalHeaders(request) }
        guard !headers.isEmpty else { return queue(refusal, on: connection) }
        var response = refusal.response
        response.headers += headers
        return queue(PreparedResponse(response), on: connection)
    }

    fileprivate func queue(_ response: PreparedResponse, on connection: Connection) -> MHD_Result {
        connection.phase = .sending
        connection.queued = response
        connection.deadline =
            now + configuration.answerSeconds + response.response.body.count / max(1, configuration.minimumBytesPerSecond)
        return response.queue(on: connection.handle) ? .YES : .NO
    }

    fileprivate func end(_ connection: Connection, cause: MHD_RequestTerminationCode) {
        if let hook, let exchange = connection.exchange { exchange.whileReadable { hook(served(connection, exchange, cause: cause)) } }
        connection.reset()
        connection.deadline = now + configuration.idleSeconds
        if isDraining { connection.end() }
    }

    private func served(_ connection: Connection, _ exchange: Exchange, cause: MHD_RequestTerminationCode) -> ServedRequest {
        let request = connection.request ?? ServerRequest(method: "", body: [], exchange: exchange)
        let status = connection.queued?.status ?? Int(posterity_mhd_status(connection.handle))
        let isComplete = cause == .REQUEST_TERMINATED_COMPLETED_OK
        let hasBody = request.method != "HEAD" && status != 304 && status != 204
        return ServedRequest(
            request: request, status: status, bytes: isComplete && hasBody ? connection.queued?.response.body.count ?? 0 : 0,
            duration: .nanoseconds(MonotonicTime.nanoseconds - connection.began), isComplete: isComplete)
    }

    private static let methodsWithBody = ["POST", "PUT", "PATCH", "DELETE"]
}

// MARK: - Callbacks, all on the worker's thread, all with the loop as their context

private func loop(_ context: UnsafeMutableRawPointer?) -> WorkerLoop {
    Unmanaged<WorkerLoop>.fromOpaque(context!).takeUnretainedValue()
}

/// A connection has come, or is gone.
private func callNotify(
    context: UnsafeMutableRawPointer?, handle: OpaquePointer?, kept: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    code: MHD_ConnectionNotificationCode
) {
    guard let handle, let kept else { return }
    let loop = loop(context)
    if code == .CONNECTION_NOTIFY_STARTED {
        guard let arriving = loop.arriving else { return }
        let connection = Connection(
            descriptor: arriving.descriptor, client: arriving.client, listener: arriving.listener, handle: handle)
        loop.add(connection)
        // Released when it is gone, of which the library always tells.
        kept.pointee = Unmanaged.passRetained(connection).toOpaque()
    } else if let pointer = kept.pointee {
        loop.remove(Unmanaged<Connection>.fromOpaque(pointer).takeRetainedValue())
    }
}

/// The request line is there. What this gives back becomes the request's context: the connection, which outlives it.
private func callBegin(
    context: UnsafeMutableRawPointer?, target: UnsafePointer<CChar>?, handle: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let target, let handle, let pointer = posterity_mhd_socket_context(handle) else { return nil }
    loop(context).begin(target, on: Unmanaged<Connection>.fromOpaque(pointer).takeUnretainedValue())
    return pointer
}

/// The request is over, well or badly.
private func callEnd(
    context: UnsafeMutableRawPointer?, handle: OpaquePointer?, request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    cause: MHD_RequestTerminationCode
) {
    guard let pointer = request?.pointee else { return }
    request?.pointee = nil
    loop(context).end(Unmanaged<Connection>.fromOpaque(pointer).takeUnretainedValue(), cause: cause)
}

/// Called when the headers are there, for each piece of the body, at the body's end, and again after a resume.
private func callAnswer(
    context: UnsafeMutableRawPointer?, handle: OpaquePointer?, path: UnsafePointer<CChar>?, method: UnsafePointer<CChar>?,
    version: UnsafePointer<CChar>?, upload: UnsafePointer<CChar>?, uploadSize: UnsafeMutablePointer<Int>?,
    request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let method, let version, let uploadSize, let pointer = request?.pointee else { return .NO }
    let loop = loop(context)
    let connection = Unmanaged<Connection>.fromOpaque(pointer).takeUnretainedValue()
    guard let exchange = connection.exchange else { return .NO }
    if !connection.hasLookedAtHead {
        connection.hasLookedAtHead = true
        return loop.lookAtHead(of: connection, method: method, version: version, exchange: exchange)
    }
    if uploadSize.pointee > 0 {
        loop.receive(UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee), on: connection)
        uploadSize.pointee = 0
        return .YES
    }
    guard connection.phase == .working else { return loop.respond(to: connection, exchange) }
    switch exchange.stage {
    case .answered(let response): return loop.queue(response, on: connection)
    case .over: return .NO
    case .working, .receiving: return .YES
    }
}
