internal import Glibc

/// The socket of one request, for answers that an honest server would never give.
///
/// The server leaves the socket alone until the script that uses this has ended, and then closes it.
package struct RawConnection: Sendable {
    private let descriptor: Int32

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Sends all of `bytes`, waiting for the client to read.
    ///
    /// - Returns: false when the client has gone or the task is cancelled: there is nobody to write to any more.
    package func send(_ bytes: some Collection<UInt8>) async -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            if Task.isCancelled { return false }
            let sent = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)) }
            if sent >= 0 {
                rest = rest.dropFirst(sent)
            } else if errno == EAGAIN {
                guard (try? await Task.sleep(for: .milliseconds(5))) != nil else { return false }
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    package func send(_ text: String) async -> Bool {
        await send(Array(text.utf8))
    }

    /// Makes the coming close a reset (RST) instead of an orderly end.
    package func resetOnClose() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }
}
