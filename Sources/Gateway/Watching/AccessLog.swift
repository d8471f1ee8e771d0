internal import Core
internal import Glibc

/// Where each request is written down: by a thread of its own, as the disk or the terminal must hold no answer up.
final class AccessLog: Sendable {
    private struct State {
        var records: [AccessRecord] = []
        var dropped = 0
        var isClosed = false
    }

    /// What is not written by then is dropped, and said so: a full disk costs lines, not memory.
    private static let mostWaiting = 50_000

    private let form: AccessLogForm
    /// Nil for standard error.
    private let path: String?
    private let log: Log
    private let monitor = Monitor(State())

    /// - Parameter path: a file that is added to; it may be renamed away, and is then made anew.
    init(_ form: AccessLogForm, path: String?, log: Log) {
        self.form = form
        self.path = path
        self.log = log
    }

    func write(_ record: AccessRecord) {
        monitor.change { state in
            if state.records.count < Self.mostWaiting { state.records.append(record) } else { state.dropped += 1 }
        }
    }

    /// Lets ``run()`` write what is left, and return.
    func close() { monitor.change { $0.isClosed = true } }

    /// Writes until the log is closed. Blocks its thread.
    func run() {
        var descriptor: Int32 = -1
        defer { if path != nil, descriptor >= 0 { Glibc.close(descriptor) } }
        while true {
            let (records, dropped, isLast) = monitor.wait { state -> Monitor<State>.Step<([AccessRecord], Int, Bool)> in
                guard !state.records.isEmpty || state.dropped > 0 || state.isClosed else { return .wait }
                defer { (state.records, state.dropped) = ([], 0) }
                return .done((state.records, state.dropped, state.isClosed && state.records.isEmpty))
            }
            if dropped > 0 { log.warning("the access log is too slow: \(dropped) requests were not written down") }
            if !records.isEmpty {
                descriptor = opened(descriptor)
                var bytes: [UInt8] = []
                for record in records { if form == .json { bytes += record.json } else { bytes += record.line.utf8 } }
                Self.writeAll(bytes, to: descriptor)
            }
            if isLast { return }
        }
    }

    // MARK: - Private

    /// The file, again if it is no longer where it was.
    private func opened(_ descriptor: Int32) -> Int32 {
        guard let path else { return STDERR_FILENO }
        var (there, held) = (stat(), stat())
        if descriptor >= 0, stat(path, &there) == 0, fstat(descriptor, &held) == 0, there.st_ino == held.st_ino, there.st_dev == held.st_dev
        {
            return descriptor
        }
        if descriptor >= 0 { Glibc.close(descriptor) }
        let fresh = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o640)
        if fresh < 0 { log.error("cannot write the access log \(path.printable): \(systemText(errno))") }
        return fresh
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let count = Glibc.write(descriptor, buffer.baseAddress! + written, buffer.count - written)
                if count > 0 {
                    written += count
                } else if errno == EAGAIN {
                    var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = Glibc.poll(&poll, 1, 1_000)
                } else if errno != EINTR {
                    return
                }
            }
        }
    }
}

/// How requests are written down.
package enum AccessLogForm: String, Sendable, CaseIterable {
    case lines, json, off
}
