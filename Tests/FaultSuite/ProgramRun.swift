import FoundationEssentials
import Glibc
import TestSupport

/// A process of the program under test, or of a tool that checks it: its output in files, its environment only what it is given.
struct ProgramRun: Sendable {
    /// How a process ended.
    struct Ending: Sendable {
        /// The exit status; minus the signal's number when a signal ended it.
        let status: Int32
        let output: String
        let errors: String
        let peakMegabytes: Int
        let seconds: Double
    }

    /// No case takes as long, on a machine that is busy with other things too: what takes longer hangs.
    private static let patience = Duration.seconds(300)

    let pid: pid_t
    private let outputFile: String
    private let errorFile: String
    private let startedAt = ContinuousClock.now

    /// - Parameter directory: where it is started, and where its output is kept.
    init(_ program: String, _ arguments: [String], environment: [String: String], in directory: String) throws {
        let number = UInt64.random(in: 0 ... .max)
        (outputFile, errorFile) = ("\(directory)/.output-\(number)", "\(directory)/.errors-\(number)")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, outputFile, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errorFile, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        // `env` goes to the directory and then becomes the program.
        var argv = (["env", "-C", directory, program] + arguments).map { strdup($0) } + [nil]
        var envp = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in argv + envp { free(text) } }
        var started = pid_t()
        let failure = posix_spawn(&started, "/usr/bin/env", &actions, nil, &argv, &envp)
        guard failure == 0 else { throw TestSupportError("cannot run \(program): \(String(cString: strerror(failure)))") }
        pid = started
    }

    /// Runs a program to its end.
    static func run(_ program: String, _ arguments: [String], environment: [String: String], in directory: String) async throws -> Ending {
        try await ProgramRun(program, arguments, environment: environment, in: directory).ending()
    }

    /// Runs a script by the shell, and gives back what it printed; a script that fails is an error.
    @discardableResult
    static func shell(_ script: String, _ arguments: String...) async throws -> String {
        let environment = ["PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"]
        let ending = try await withTemporaryDirectory { directory in
            try await run("/bin/sh", ["-c", script, "sh"] + arguments, environment: environment, in: directory)
        }
        guard ending.status == 0 else { throw TestSupportError("“\(script)” failed (\(ending.status)): \(ending.errors)") }
        return ending.output
    }

    func signal(_ signal: Int32) { kill(pid, signal) }

    /// Waits for the end; kills the process when that takes too long.
    func ending() async throws -> Ending {
        var status: Int32 = 0
        var usage = rusage()
        while true {
            let ended = wait4(pid, &status, WNOHANG, &usage)
            if ended == pid { break }
            if ended < 0, errno != EINTR { throw TestSupportError("cannot wait for \(pid): errno \(errno)") }
            if ContinuousClock.now - startedAt > Self.patience {
                kill(pid, SIGKILL)
                waitpid(pid, &status, 0)
                throw TestSupportError("it hung; it had said: \(Self.text(errorFile).suffix(300))")
            }
            // Asked for again and again, so that no thread of the cooperative pool is held up by a blocking wait.
            try await Task.sleep(for: .milliseconds(4))
        }
        defer { for file in [outputFile, errorFile] { unlink(file) } }
        let signal = status & 0x7F
        let seconds = (ContinuousClock.now - startedAt) / .seconds(1)
        return Ending(
            status: signal == 0 ? (status >> 8) & 0xFF : -signal, output: Self.text(outputFile), errors: Self.text(errorFile),
            peakMegabytes: usage.ru_maxrss / 1_000, seconds: seconds)
    }

    private static func text(_ file: String) -> String {
        (try? Data(contentsOf: URL(filePath: file))).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
