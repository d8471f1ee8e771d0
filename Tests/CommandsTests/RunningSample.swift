import FoundationEssentials
import Glibc
import TestSupport

@testable import Commands

/// The sample command, a program of its own.
let samplePath = Tool.built("SampleCommand")

/// Runs `body` beside the sample command.
func withSample(
    _ arguments: [String], environment: [String: String] = ["HOME": "/nonexistent"], _ body: (RunningTool) async throws -> Void
) async throws {
    try await Tool.withProcess(samplePath, arguments, environment: environment, body)
}

/// Runs `program` in this process, with real files for its streams.
func outcome(
    of arguments: [String], program: Program = sample, environment: [String: String] = ["HOME": "/home/someone"]
) async throws -> Outcome {
    try await withTemporaryDirectory { directory in
        let paths = (output: directory + "/output", errors: directory + "/errors")
        let output = open(paths.output, O_WRONLY | O_CREAT, 0o600)
        let errors = open(paths.errors, O_WRONLY | O_CREAT, 0o600)
        defer {
            close(output)
            close(errors)
        }
        let status = await program.run(arguments, Environment(environment), output: output, errors: errors)
        return Outcome(
            status: status, output: try String(contentsOfFile: paths.output, encoding: .utf8),
            errors: try String(contentsOfFile: paths.errors, encoding: .utf8))
    }
}

/// The arguments that a command line of the sample's gives its verb; nil when it asks for something else than a verb's run.
func arguments(_ line: [String], _ environment: [String: String] = ["HOME": "/home/someone"]) throws(UsageError) -> Arguments? {
    do throws(Parser.Failure) {
        guard case .run(_, let arguments) = try Parser(program: sample, environment: Environment(environment)).parse(line) else {
            return nil
        }
        return arguments
    } catch {
        throw error.error
    }
}

/// The sentence with which a command line is refused; nil when it is not.
func refusal(_ line: [String], _ environment: [String: String] = ["HOME": "/home/someone"]) -> String? {
    do throws(UsageError) {
        _ = try arguments(line, environment)
        return nil
    } catch {
        return error.description
    }
}
