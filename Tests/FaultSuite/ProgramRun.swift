import TestSupport

/// Runs of the program under test, and of the tools that check what it leaves.
enum ProgramRun {
    /// How a process ended.
    struct Ending: Sendable {
        /// The exit status; minus the signal's number when a signal ended it.
        let status: Int32
        let output: String
        let errors: String
        let peakMegabytes: Int
        let seconds: Double
    }

    /// Runs `body` beside a program whose environment is only what it is given.
    static func with<Value>(
        _ program: String, _ arguments: [String], environment: [String: String], in directory: String,
        _ body: (RunningTool) async throws -> Value
    ) async throws -> Value {
        try await Tool.withProcess(program, arguments, environment: environment, directory: directory, body)
    }

    /// Runs a program to its end.
    static func run(_ program: String, _ arguments: [String], environment: [String: String], in directory: String) async throws -> Ending {
        try await with(program, arguments, environment: environment, in: directory) { try await ending(of: $0) }
    }

    /// Waits for a program's end.
    static func ending(of program: RunningTool) async throws -> Ending {
        let startedAt = ContinuousClock.now
        let outcome = try await program.outcome()
        return Ending(
            status: outcome.status, output: outcome.text, errors: outcome.errorText, peakMegabytes: outcome.peakMegabytes,
            seconds: (ContinuousClock.now - startedAt) / .seconds(1))
    }

    /// Runs a script by the shell, and gives back what it printed; a script that fails is an error.
    @discardableResult
    static func shell(_ script: String, _ arguments: String...) async throws -> String {
        let environment = ["PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"]
        let output = try await Tool.run("/bin/sh", ["-c", script, "sh"] + arguments, environment: environment)
        return String(decoding: output, as: UTF8.self)
    }
}
