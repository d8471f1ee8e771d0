internal import FoundationEssentials
internal import Glibc

/// Programs that tests run: the one way to start them. Nothing here blocks the thread that awaits it.
package enum Tool {
    /// How a program ended, and what it wrote.
    package struct Outcome: Sendable {
        /// The exit status, or minus the signal that ended it.
        package let status: Int32
        package let output: [UInt8]
        package let errors: [UInt8]
        /// The most memory that it had at once.
        package let peakMegabytes: Int

        package var text: String { String(decoding: output, as: UTF8.self) }
        package var errorText: String { String(decoding: errors, as: UTF8.self) }
        /// Both, for programs of which nothing is expected in either.
        package var allText: String { text + errorText }
    }

    /// After which a program is killed and its test fails: only one that hangs takes this long, however busy the machine is.
    package static let patience = Duration.seconds(300)

    /// Where `name` is found on the PATH; nil if it is not installed.
    package static func find(_ name: String) -> String? {
        guard let path = getenv("PATH") else { return nil }
        return String(cString: path).split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// Whether all of `names` are found on the PATH: the condition of a test that needs them.
    package static func isInstalled(_ names: String...) -> Bool { names.allSatisfy { find($0) != nil } }

    /// A program of this package. It lies beside the test bundle.
    package static func built(_ name: String) -> String {
        let test = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? test
        return bundle.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/" + name
    }

    /// Runs a program to its end and returns what it wrote to its standard output.
    ///
    /// - Parameters:
    ///   - program: a path, or a name that is found on the PATH.
    ///   - environment: all of it; by default the test's own.
    ///   - directory: where it starts; by default where the test runs.
    ///   - input: what it reads from its standard input.
    /// - Throws: `TestSupportError` with what it wrote to its standard error, if it cannot be run or fails.
    @discardableResult
    package static func run(
        _ program: String, _ arguments: [String], environment: [String: String]? = nil, directory: String? = nil, input: [UInt8] = []
    ) async throws -> [UInt8] {
        let outcome = try await outcome(of: program, arguments, environment: environment, directory: directory, input: input)
        guard outcome.status == 0 else {
            let command = ([program] + arguments).joined(separator: " ")
            throw TestSupportError("\(command) failed: status \(outcome.status): \(outcome.errorText)")
        }
        return outcome.output
    }

    /// Runs a program to its end, however that is.
    ///
    /// - Throws: `TestSupportError` if it cannot be run, or is not done after ``patience``.
    package static func outcome(
        of program: String, _ arguments: [String], environment: [String: String]? = nil, directory: String? = nil, input: [UInt8] = []
    ) async throws -> Outcome {
        try await withProcess(program, arguments, environment: environment, directory: directory, input: input) { try await $0.outcome() }
    }

    /// Runs `body` beside a program, which is killed when `body` is done and it is not.
    ///
    /// - Parameters:
    ///   - input: the beginning of what it reads from its standard input, which ends with ``RunningTool/endInput()``.
    ///   - descriptors: what it finds open as the number given, beside its three standard streams.
    package static func withProcess<Value>(
        _ program: String, _ arguments: [String], environment: [String: String]? = nil, directory: String? = nil,
        input: [UInt8] = [],
        descriptors: [Int32: Int32] = [:], _ body: (RunningTool) async throws -> Value
    ) async throws -> Value {
        let tool = try RunningTool(
            program, arguments, environment: environment, directory: directory, input: input, descriptors: descriptors)
        do {
            let value = try await body(tool)
            await tool.killAndWait()
            return value
        } catch {
            await tool.killAndWait()
            throw error
        }
    }
}
