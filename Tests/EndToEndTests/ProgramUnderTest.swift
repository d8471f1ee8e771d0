import FoundationEssentials
import Glibc
import TestSupport

/// The built `posterity` as a process of its own, its output in files, its environment only what a test gives it.
struct ProgramUnderTest: ~Copyable {
    /// How a program ended.
    struct Ending: Sendable {
        /// The exit status; minus the signal's number when a signal killed it.
        let status: Int32
        let output: String
        let errors: String

        /// What it said on standard error, a line each.
        var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
    }

    /// Longer than any of these runs takes on a machine that is busy with other things.
    private static let patience = Duration.seconds(120)

    let pid: pid_t
    private let outputFile: String
    private let errorFile: String

    /// The built program; it lies beside the test bundle.
    static let path = buildDirectory + "/posterity"

    static var buildDirectory: String {
        let test = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? test
        return bundle.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    }

    /// The package's root.
    static var packageDirectory: String {
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    }

    /// - Parameters:
    ///   - program: a path, by default of `posterity`.
    ///   - directory: where it is started, and where its output is kept.
    static func start(
        _ arguments: [String], program: String = ProgramUnderTest.path, environment: [String: String], in directory: String
    ) throws -> ProgramUnderTest {
        let number = UInt64.random(in: 0 ... .max)
        let (outputFile, errorFile) = ("\(directory)/.output-\(number)", "\(directory)/.errors-\(number)")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, outputFile, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errorFile, O_WRONLY | O_CREAT | O_APPEND, 0o600)

        // Other tests of this process may ignore signals, which a started program would inherit.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        // `env` goes to the directory and then becomes the program.
        var argv = (["env", "-C", directory, program] + arguments).map { strdup($0) } + [nil]
        var envp = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in argv + envp { free(text) } }
        var pid = pid_t()
        let failure = posix_spawn(&pid, "/usr/bin/env", &actions, &attributes, &argv, &envp)
        guard failure == 0 else { throw TestSupportError("cannot run \(program): errno \(failure)") }
        return ProgramUnderTest(pid: pid, outputFile: outputFile, errorFile: errorFile)
    }

    /// Runs a program to its end.
    static func run(
        _ arguments: [String], program: String = ProgramUnderTest.path, environment: [String: String], in directory: String
    ) async throws -> Ending {
        try await start(arguments, program: program, environment: environment, in: directory).ending()
    }

    func signal(_ signal: Int32) { kill(pid, signal) }

    /// What it has written to standard output so far.
    var output: String { Self.text(outputFile) }

    /// Waits for the end; kills the program when that takes too long.
    consuming func ending() async throws -> Ending {
        var status: Int32 = 0
        let start = ContinuousClock.now
        while true {
            let ended = waitpid(pid, &status, WNOHANG)
            if ended == pid { break }
            if ended < 0, errno != EINTR { throw TestSupportError("cannot wait for \(pid): errno \(errno)") }
            if ContinuousClock.now - start > Self.patience || Task.isCancelled {
                kill(pid, SIGKILL)
                waitpid(pid, &status, 0)
                throw TestSupportError("it did not end; it said: \(Self.text(errorFile))")
            }
            // Asked for again and again, so that no thread of the tests' pool is held up by a blocking wait.
            try? await Task.sleep(for: .milliseconds(5))
        }
        defer { for file in [outputFile, errorFile] { try? FileManager.default.removeItem(atPath: file) } }
        let signal = status & 0x7F
        return Ending(
            status: signal == 0 ? (status >> 8) & 0xFF : -signal, output: Self.text(outputFile), errors: Self.text(errorFile))
    }

    private static func text(_ file: String) -> String {
        (try? Data(contentsOf: URL(filePath: file))).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
