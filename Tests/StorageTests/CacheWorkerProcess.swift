import FoundationEssentials
import Glibc
import Testing

/// A CacheWorker that runs beside the test.
final class CacheWorkerProcess {
    private let pid: pid_t
    private let output: UnsafeMutablePointer<FILE>
    private let socket: Int32

    /// - Parameter prefix: a program and its arguments that run the worker: `["strace", …]`.
    init(_ arguments: [String], prefix: [String] = []) throws {
        // A socket pair for both directions, because it can be made close-on-exec in one step: other tests start processes at any time.
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw CommandFailure(text: "socketpair: \(errno)")
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        let words = prefix + [try Self.program()] + arguments
        var pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var child = pid_t()
        let failure = posix_spawnp(&child, words[0], &actions, nil, &pointers, environ)
        close(ends[1])
        guard failure == 0 else { throw CommandFailure(text: "cannot start \(words[0]): \(failure)") }
        pid = child
        socket = ends[0]
        output = fdopen(socket, "r")
    }

    deinit {
        fclose(output)
    }

    /// The next line of its output; nil at the end.
    func nextLine() -> String? {
        var line: UnsafeMutablePointer<CChar>?
        var size = 0
        defer { free(line) }
        guard getline(&line, &size, output) > 0, let line else { return nil }
        return String(String(cString: line).dropLast())
    }

    func endInput() { shutdown(socket, Int32(SHUT_WR)) }

    func kill() { Glibc.kill(pid, SIGKILL) }

    /// Reads its output to the end and waits for its own: the lines, and the exit status or minus the signal.
    func finish() -> (lines: [String], status: Int32) {
        endInput()
        var lines: [String] = []
        while let line = nextLine() { lines.append(line) }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return (lines, status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F))
    }

    /// The worker lies beside the program that runs the tests.
    static func program() throws -> String {
        let me = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let beside = me.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/CacheWorker"
        guard access(beside, X_OK) == 0 else { throw CommandFailure(text: "\(beside) is not built") }
        return beside
    }

    static func run(_ arguments: String..., prefix: [String] = []) throws -> (lines: [String], status: Int32) {
        try CacheWorkerProcess(arguments, prefix: prefix).finish()
    }
}
