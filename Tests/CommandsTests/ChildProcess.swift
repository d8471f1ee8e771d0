import FoundationEssentials
import Glibc
import TestSupport

/// The sample command as a process of its own, with pipes for its streams.
struct ChildProcess: ~Copyable {
    let pid: pid_t
    private let output: Int32
    private let errors: Int32

    /// The directory of the built products, in which the test bundle lies too.
    static var command: String {
        let test = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? test
        return bundle.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/SampleCommand"
    }

    init(_ arguments: [String], environment: [String] = ["HOME=/nonexistent"]) throws {
        var pipes: [Int32] = [0, 0, 0, 0]
        guard pipe(&pipes[0]) == 0, pipe(&pipes[2]) == 0 else { throw TestSupportError("pipe: errno \(errno)") }
        for end in pipes { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer {
            close(pipes[1])
            close(pipes[3])
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, pipes[1], STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, pipes[3], STDERR_FILENO)
        var argv = ([Self.command] + arguments).map { strdup($0) } + [nil]
        var envp = environment.map { strdup($0) } + [nil]
        defer { for text in argv + envp { free(text) } }
        var pid = pid_t()
        let failure = posix_spawn(&pid, Self.command, &actions, nil, &argv, &envp)
        guard failure == 0 else { throw TestSupportError("\(Self.command): errno \(failure)") }
        self.pid = pid
        (output, errors) = (pipes[0], pipes[2])
    }

    deinit {
        close(output)
        close(errors)
    }

    func signal(_ signal: Int32) { kill(pid, signal) }

    /// Reads standard output up to the end of its first line.
    func firstLine() -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(output, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }

    /// Closes the reading end of standard output, as `head` does when it has seen enough.
    func closeOutput() { dup2(open("/dev/null", O_RDONLY), output) }

    /// Waits for the end: the exit status, or minus the signal that killed it; and what is left of the streams.
    func wait() -> (status: Int32, output: String, errors: String) {
        let (output, errors) = (Self.readAll(output), Self.readAll(errors))
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return (status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F), output, errors)
    }

    private static func readAll(_ descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
