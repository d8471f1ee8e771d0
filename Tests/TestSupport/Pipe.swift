internal import CLinux
internal import Core
internal import Glibc

/// A pipe whose two ends no program inherits that is started meanwhile.
final class Pipe: Sendable {
    let reader: Descriptor
    let writer: Descriptor

    /// - Parameter isWriterNonblocking: whether writing to a full pipe returns at once; the reading end, which a program may get, blocks.
    init(isWriterNonblocking: Bool = false) throws {
        var ends: [Int32] = [0, 0]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw TestSupportError("no pipe: errno \(errno)") }
        if isWriterNonblocking { _ = fcntl(ends[1], F_SETFL, O_NONBLOCK) }
        reader = Descriptor(ends[0])
        writer = Descriptor(ends[1])
    }
}

/// A file descriptor of a thread's.
final class Descriptor: Sendable {
    private let number: Mutex<Int32>

    init(_ number: Int32) { self.number = Mutex(number) }

    deinit { close() }

    /// -1 when it is closed, which `poll` passes over.
    var raw: Int32 { number.withLock { $0 } }
    var isOpen: Bool { raw >= 0 }

    func close() {
        number.withLock { number in
            if number >= 0 { _ = Glibc.close(number) }
            number = -1
        }
    }

    func readiness(_ events: Int32, if isWanted: Bool = true) -> pollfd {
        pollfd(fd: isWanted ? raw : -1, events: Int16(events), revents: 0)
    }

    /// What there is to read; closes at the end.
    func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(raw, &buffer, buffer.count)
        if count == 0 || count < 0 && errno != EINTR && errno != EAGAIN { close() }
        return Array(buffer.prefix(max(0, count)))
    }

    /// How much of `bytes` was taken; all of it when no one will read them.
    func write(_ bytes: [UInt8]) -> Int {
        let count = Glibc.write(raw, bytes, bytes.count)
        if count < 0 && errno != EINTR && errno != EAGAIN {
            close()
            return bytes.count
        }
        return max(0, count)
    }
}
