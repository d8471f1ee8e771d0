package import Core

/// What a verb needs of the world besides its arguments.
package struct Context: Sendable {
    package let program: Program
    package let environment: Environment
    /// Standard output, for results.
    package let output: Output
    /// Standard error, for log lines and progress.
    package let console: Console

    package var log: Log { console.log }

    /// Runs `body` with a progress bar on standard error; see ``ProgressBar/withBar(_:unit:total:on:_:)``.
    package func withProgress<Value>(
        _ label: String, unit: String, total: Int? = nil, _ body: (ProgressBar) async throws -> Value
    ) async throws -> Value {
        try await ProgressBar.withBar(label, unit: unit, total: total, on: console, body)
    }
}
