internal import Glibc

/// One client's connection, and how far its present request is. Belongs to its worker, whose thread alone touches it.
final class Connection {
    enum Phase {
        /// No request line yet, or the next one's.
        case waiting
        /// The request line is there, and the rest on its way.
        case receiving
        /// The handler has it, or a task of the handler's.
        case working
        /// An answer is queued.
        case sending
    }

    let descriptor: Int32
    let client: ClientAddress
    let listener: Int
    let handle: OpaquePointer
    /// Where it stands among the worker's connections.
    var index = 0

    var phase = Phase.waiting
    /// When it is ended unless it has got further, in seconds of the worker's clock.
    var deadline = Int.max

    // MARK: Of the present request

    var exchange: Exchange?
    /// Of the handler's request, which the hook gets too.
    var request: ServerRequest?
    /// When its request line was there, in nanoseconds of the monotonic clock.
    var began = 0
    /// Where the library keeps the target; its length and the verdict are from before its percent encoding was undone there.
    var target = UnsafeBufferPointer<CChar>(start: nil, count: 0)
    var isTargetClean = false
    var body: [UInt8] = []
    var bodyIsTooLarge = false
    var hasLookedAtHead = false
    /// What it will be refused with, once it is all there.
    var refusal: PreparedResponse?
    var queued: PreparedResponse?

    init(descriptor: Int32, client: ClientAddress, listener: Int, handle: OpaquePointer) {
        self.descriptor = descriptor
        self.client = client
        self.listener = listener
        self.handle = handle
    }

    /// Ready for the next request.
    func reset() {
        phase = .waiting
        exchange = nil
        request = nil
        target = UnsafeBufferPointer(start: nil, count: 0)
        if !body.isEmpty { body = [] }
        bodyIsTooLarge = false
        hasLookedAtHead = false
        refusal = nil
        queued = nil
    }

    /// Ends it: the worker will find the socket closed.
    func end() {
        if case .sending = phase {
            // What a client does not read would stay in the system's memory long after an orderly end.
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        }
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}
