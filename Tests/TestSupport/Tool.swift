internal import Core
internal import Glibc

/// Programs that tests run.
package enum Tool {
    /// Where `name` is found on the PATH; nil if it is not installed.
    package static func find(_ name: String) -> String? {
        guard let path = getenv("PATH") else { return nil }
        return String(cString: path).split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// Runs a program to its end and returns what it wrote to its standard output. Its standard error is the test's own.
    ///
    /// - Throws: `TestSupportError` if it cannot be run or fails.
    @discardableResult
    package static func run(_ program: String, _ arguments: [String]) throws -> [UInt8] {
        let (process, end) = try spawning.withLock { _ in
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else { throw TestSupportError("no pipe: errno \(errno)") }
            defer { close(ends[1]) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return (try spawn(program, arguments, output: ends[1]), ends[0])
        }
        defer { close(end) }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(end, &buffer, buffer.count), count > 0 { output += buffer[..<count] }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw TestSupportError("\(program) \(arguments.joined(separator: " ")) failed: status \(status)") }
        return output
    }

    /// Runs `body` beside a program, which is ended (SIGTERM) and waited for afterwards.
    package static func withProcess<Value>(
        _ program: String, _ arguments: [String], _ body: (Int32) async throws -> Value
    ) async throws -> Value {
        let process = try spawning.withLock { _ in try spawn(program, arguments, output: nil) }
        defer {
            kill(process, SIGTERM)
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
        }
        return try await body(process)
    }

    /// Held from a pipe's making to its program's start: another program started in between would inherit the pipe and keep it open.
    private static let spawning = Mutex(())

    private static func spawn(_ program: String, _ arguments: [String], output: Int32?) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let output {
            posix_spawn_file_actions_adddup2(&actions, output, 1)
        } else {
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        var texts = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for text in texts { free(text) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, program, &actions, nil, &texts, environ)
        guard failure == 0 else { throw TestSupportError("cannot run \(program): \(String(cString: strerror(failure)))") }
        return process
    }
}
