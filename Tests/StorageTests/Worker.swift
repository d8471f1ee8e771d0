import TestSupport

/// A CacheWorker that runs beside the test.
struct Worker: Sendable {
    /// What it printed, a line each, and its exit status or minus the signal that ended it.
    typealias Ending = (lines: [String], status: Int32)

    private let tool: RunningTool

    /// - Parameter prefix: a program and its arguments that run the worker: `["strace", …]`.
    static func withWorker<Value>(
        _ arguments: String..., prefix: [String] = [], _ body: (Worker) async throws -> Value
    ) async throws -> Value {
        let words = prefix + [Tool.built("CacheWorker")] + arguments
        return try await Tool.withProcess(words[0], Array(words.dropFirst())) { try await body(Worker(tool: $0)) }
    }

    static func run(_ arguments: String..., prefix: [String] = []) async throws -> Ending {
        let words = prefix + [Tool.built("CacheWorker")] + arguments
        return try await Tool.withProcess(words[0], Array(words.dropFirst())) { try await Worker(tool: $0).finish() }
    }

    func nextLine() async throws -> String? { try await tool.nextLine() }

    func kill() { tool.signal(9) }

    /// Ends its input, and waits for its end.
    func finish() async throws -> Ending {
        let outcome = try await tool.outcome()
        return (outcome.text.split(separator: "\n").map(String.init), outcome.status)
    }
}
