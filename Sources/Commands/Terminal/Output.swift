internal import Core
internal import Glibc

/// Standard output: a verb's results, and nothing else.
///
/// Writing blocks as long as the reader does not read; verbs write little and last, so it is not handed to a thread of its own.
package final class Output: Sendable {
    package let terminal: Terminal
    private let console: Console?

    /// - Parameter console: whose progress bar must make room when both write to a terminal.
    package init(_ terminal: Terminal, console: Console? = nil) {
        self.terminal = terminal
        self.console = console
    }

    /// Writes `text` as it is, all of it.
    package func write(_ text: String) throws(OutputError) {
        try write(Array(text.utf8))
    }

    /// Writes `text` and ends the line.
    package func writeLine(_ text: String = "") throws(OutputError) {
        try write(text + "\n")
    }

    /// Writes all of `bytes`.
    package func write(_ bytes: [UInt8]) throws(OutputError) {
        guard terminal.isTerminal, let console else { return try writeAll(bytes) }
        try console.withoutBar { () throws(OutputError) in try writeAll(bytes) }
    }

    private func writeAll(_ bytes: [UInt8]) throws(OutputError) {
        let failure = Descriptor.writeAll(bytes, to: terminal.descriptor)
        if failure != 0 { throw OutputError(errno: failure) }
    }
}

/// Standard output takes no more.
package struct OutputError: ExitCoded, CustomStringConvertible {
    package let errno: Int32

    /// The reader has had enough, as `head` has; no reason to say anything.
    package var isBrokenPipe: Bool { errno == EPIPE }
    package var exitCode: ExitCode { isBrokenPipe ? .done : .failed }
    package var description: String { "cannot write to standard output: \(systemText(errno))" }
}

enum Descriptor {
    /// Writes every byte, however many calls it takes; gives 0, or the `errno` of the call that failed.
    static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let count = Glibc.write(descriptor, buffer.baseAddress! + written, buffer.count - written)
                if count >= 0 {
                    written += count
                } else if errno == EAGAIN {
                    // Someone made the stream non-blocking; wait for room.
                    var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = Glibc.poll(&poll, 1, 1_000)
                } else if errno != EINTR {
                    return errno
                }
            }
            return 0
        }
    }

    /// Opens what is closed of the three standard streams on `/dev/null`, for reading: else the next file opened would be taken for
    /// standard output and written over. Writing to one then still fails.
    static func openStandardStreams() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            _ = open("/dev/null", O_RDONLY)
        }
    }
}
