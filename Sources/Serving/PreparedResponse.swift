internal import CMicroHTTPD
internal import Glibc

/// A response made ready once and sent any number of times, by any worker: the fast way for what is asked often.
///
/// It never changes. What differs from one request to the next (`Age`) makes a new one necessary, which costs a few microseconds.
package final class PreparedResponse: Sendable {
    package let response: ServerResponse
    // Only queued and, in the end, let go of, both of which the library does under the response's own lock; written once, here.
    private nonisolated(unsafe) let handle: OpaquePointer?

    package init(_ response: ServerResponse) {
        self.response = response
        handle = Self.handle(for: response.body)
        guard let handle else { return }
        for header in response.headers { MHD_add_response_header(handle, header.name.headerSafe, header.value.headerSafe) }
    }

    deinit {
        if let handle { MHD_destroy_response(handle) }
    }

    package var status: Int { response.status }

    /// Queues it; the library keeps what it needs until it is sent.
    ///
    /// - Returns: false when the connection must be closed instead.
    func queue(on connection: OpaquePointer) -> Bool {
        // None when the system was out of memory or descriptors.
        guard let handle else { return false }
        return MHD_queue_response(connection, UInt32(response.status), handle) == .YES
    }

    // MARK: - Private

    private static func handle(for body: ServerResponse.Body) -> OpaquePointer? {
        switch body {
        case .bytes(let bytes):
            // Released by the callback, when the last connection that sends the body is done with it.
            let context = Unmanaged.passRetained(bytes)
            let handle = MHD_create_response_from_buffer_with_free_callback_cls(
                bytes.count, bytes.baseAddress, { Unmanaged<SharedBytes>.fromOpaque($0!).release() }, context.toOpaque())
            if handle == nil { context.release() }
            return handle
        case .file(let file, let offset, let count):
            // The library closes its descriptor when it lets go of the response, so it gets one of its own.
            let descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 3)
            guard descriptor >= 0 else { return nil }
            let handle = MHD_create_response_from_fd_at_offset64(UInt64(count), descriptor, UInt64(offset))
            if handle == nil { close(descriptor) }
            return handle
        }
    }
}
