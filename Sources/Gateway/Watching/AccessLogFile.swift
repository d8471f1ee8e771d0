internal import Core
internal import Glibc

/// The file of an access log, or standard error.
struct AccessLogFile: ~Copyable {
    /// Nil for standard error.
    private let path: String?
    private var descriptor: Int32 = -1

    /// - Throws: ``AccessLogError`` when it cannot be opened; not for a pipe that nobody reads yet.
    init(_ path: String?) throws(AccessLogError) {
        self.path = path
        guard let path else {
            descriptor = STDERR_FILENO
            return
        }
        do throws(AccessLogError) {
            descriptor = try Self.open(path)
        } catch {
            guard error.number == ENXIO else { throw error }
        }
    }

    deinit {
        if path != nil, descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// Adds `bytes`, all of them; may block for as long as nobody takes them.
    mutating func write(_ bytes: [UInt8]) throws(AccessLogError) {
        if let path { try reopen(path) }
        let descriptor = descriptor
        let failure = bytes.withUnsafeBytes { buffer -> Int32 in
            var written = 0
            while written < buffer.count {
                let count = Glibc.write(descriptor, buffer.baseAddress! + written, buffer.count - written)
                if count > 0 {
                    written += count
                } else if errno == EAGAIN {
                    var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = Glibc.poll(&poll, 1, 1_000)
                } else if errno != EINTR {
                    return errno
                }
            }
            return 0
        }
        guard failure == 0 else { throw AccessLogError(path, failure) }
    }

    // MARK: - Private

    /// Opens the file again if it is no longer where it was.
    private mutating func reopen(_ path: String) throws(AccessLogError) {
        var (there, held) = (stat(), stat())
        if descriptor >= 0, stat(path, &there) == 0, fstat(descriptor, &held) == 0, there.st_ino == held.st_ino, there.st_dev == held.st_dev
        {
            return
        }
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
        descriptor = try Self.open(path)
    }

    private static func open(_ path: String) throws(AccessLogError) -> Int32 {
        // Not waiting: a pipe that nobody reads would never open.
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o640)
        guard descriptor >= 0 else { throw AccessLogError(path, errno) }
        return descriptor
    }
}

/// The access log cannot be written.
struct AccessLogError: Error, CustomStringConvertible {
    let description: String
    /// What the system said.
    let number: Int32

    init(_ path: String?, _ number: Int32) {
        let place = path.map { "the access log \($0.printable)" } ?? "the access log to standard error"
        description = "cannot write \(place): \(systemText(number)); choose another place with --access-log-file, or --access-log off"
        self.number = number
    }
}
