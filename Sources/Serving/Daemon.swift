internal import CMicroHTTPD
internal import Glibc

/// Owns one libmicrohttpd daemon: a thread, its listening socket and its connections.
struct Daemon: ~Copyable {
    private let handle: OpaquePointer
    /// The daemon's callbacks hold it unretained; this keeps it alive until the daemon has stopped.
    private let dispatcher: Dispatcher

    init(socket: consuming ListeningSocket, configuration: HTTPServer.Configuration, dispatcher: Dispatcher) throws(HTTPServerError) {
        // Turbo: read at once after accepting, and do not shut a socket down before closing it, which would turn a wanted reset into an end.
        var flags = MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_USE_TURBO.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
        if socket.isIPv6 { flags |= MHD_USE_IPv6.rawValue }
        let descriptor = socket.release()
        let handle = posterity_mhd_start(
            flags, descriptor, UInt32(configuration.connectionLimit), UInt32(configuration.idleSeconds), answer, begin, end,
            Unmanaged.passUnretained(dispatcher).toOpaque())
        guard let handle else {
            let detail = String(cString: strerror(errno))
            close(descriptor)
            throw HTTPServerError(code: .system, description: "cannot start the server: \(detail)")
        }
        self.handle = handle
        self.dispatcher = dispatcher
    }

    deinit {
        MHD_stop_daemon(handle)
    }

    /// Closes all connections and joins the thread. No connection may be suspended.
    consuming func stop() {}
}

// MARK: - Callbacks, all on the daemon's thread

/// The request line is there. What this gives back becomes the request's context.
private func begin(context: UnsafeMutableRawPointer?, target: UnsafePointer<CChar>?, connection: OpaquePointer?) -> UnsafeMutableRawPointer?
{
    guard let target, let connection else { return nil }
    // Released in `end`, which is called for every request that began.
    return Unmanaged.passRetained(Exchange(target: String(cString: target), connection: connection)).toOpaque()
}

/// The request is over, well or badly.
private func end(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?, exchange: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    cause: MHD_RequestTerminationCode
) {
    guard let pointer = exchange?.pointee else { return }
    exchange?.pointee = nil
    Unmanaged<Exchange>.fromOpaque(pointer).release()
}

/// Called when the headers are there, for each piece of the body, at the body's end, and again after a resume.
private func answer(
    context: UnsafeMutableRawPointer?, connection: OpaquePointer?, path: UnsafePointer<CChar>?, method: UnsafePointer<CChar>?,
    version: UnsafePointer<CChar>?, upload: UnsafePointer<CChar>?, uploadSize: UnsafeMutablePointer<Int>?,
    exchangePointer: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let context, let connection, let path, let method, let uploadSize, let pointer = exchangePointer?.pointee else { return .NO }
    let dispatcher = Unmanaged<Dispatcher>.fromOpaque(context).takeUnretainedValue()
    let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
    if exchange.beginsNow() { return .YES }
    if uploadSize.pointee > 0 {
        exchange.receive(UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee), limit: dispatcher.maximumBodyBytes)
        uploadSize.pointee = 0
        return .YES
    }
    switch exchange.stage {
    case .answered(let response): return queue(response, on: connection)
    case .over: return .NO
    case .working: return .YES
    case .receiving: break
    }
    guard let body = exchange.body() else { return queue(ServerResponse(status: 413), on: connection) }
    let request = ServerRequest(
        method: String(cString: method), path: String(cString: path), target: exchange.target,
        query: values(.GET_ARGUMENT_KIND, of: connection), headers: values(.HEADER_KIND, of: connection), body: body)
    if let response = dispatcher.answer(request, in: exchange) { return queue(response, on: connection) }
    if case .receiving = exchange.stage { return .NO }
    return .YES
}

private func values(_ kind: MHD_ValueKind, of connection: OpaquePointer) -> [(name: String, value: String)] {
    var found: [(name: String, value: String)] = []
    withUnsafeMutablePointer(to: &found) { found in
        _ = MHD_get_connection_values(
            connection, kind,
            { context, _, name, value in
                guard let name else { return .YES }
                let found = context!.assumingMemoryBound(to: [(name: String, value: String)].self)
                found.pointee.append((String(cString: name), value.map { String(cString: $0) } ?? ""))
                return .YES
            }, found)
    }
    return found
}

private func queue(_ response: ServerResponse, on connection: OpaquePointer) -> MHD_Result {
    // Released by the callback, when the last connection that sends the body is done with it.
    let body = Unmanaged.passRetained(response.body)
    let created = MHD_create_response_from_buffer_with_free_callback_cls(
        response.body.count, response.body.baseAddress, { Unmanaged<SharedBytes>.fromOpaque($0!).release() }, body.toOpaque())
    guard let created else {
        body.release()
        return .NO
    }
    defer { MHD_destroy_response(created) }
    for header in response.headers { MHD_add_response_header(created, header.name, header.value) }
    return MHD_queue_response(connection, UInt32(response.status), created)
}
