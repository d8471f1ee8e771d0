import TestSupport

/// The built `posterity`, which starts with an environment that a test gives it and no other.
enum ProgramUnderTest {
    /// How a program ended.
    struct Ending: Sendable {
        /// The exit status; minus the signal's number when a signal killed it.
        let status: Int32
        let output: String
        let errors: String

        /// What it said on standard error, a line each.
        var errorLines: [String] { errors.split(separator: "\n").map(String.init) }

        init(_ outcome: Tool.Outcome) {
            (status, output, errors) = (outcome.status, outcome.text, outcome.errorText)
        }
    }

    static let path = Tool.built("posterity")

    static var buildDirectory: String { String(path.dropLast("/posterity".count)) }

    /// The package's root.
    static var packageDirectory: String {
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
    }

    /// Runs a program, by default `posterity`, to its end.
    static func run(
        _ arguments: [String], program: String = ProgramUnderTest.path, environment: [String: String], in directory: String
    ) async throws -> Ending {
        Ending(try await Tool.outcome(of: program, arguments, environment: environment, directory: directory))
    }
}

extension RunningTool {
    /// Waits for its end.
    func ending() async throws -> ProgramUnderTest.Ending {
        ProgramUnderTest.Ending(try await outcome())
    }
}
