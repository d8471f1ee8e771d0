/// What the process's exit status says; scripts and timers rely on the numbers.
package enum ExitCode: Int32, Sendable, CaseIterable {
    /// All done.
    case done = 0
    case failed = 1
    /// The command line, or a `POSTERITY_*` variable, is wrong.
    case usage = 2
    /// Done, but a picture that exists could not be had.
    case incomplete = 3
    /// The API refused the key (401, 402).
    case keyRefused = 4
    case rateLimited = 5
    case cacheTrouble = 6

    /// One line for the manual page.
    package var meaning: String {
        switch self {
        case .done: "All done."
        case .failed: "Failed."
        case .usage: "The command line or an environment variable is wrong."
        case .incomplete: "Done, but at least one picture that exists could not be had."
        case .keyRefused: "The API refused the key, or its plan is over."
        case .rateLimited: "The API's rate limit was reached."
        case .cacheTrouble: "The cache is in trouble: full disk, no permission, newer version."
        }
    }
}

/// An error that knows which exit code it stands for; any other error means ``ExitCode/failed``.
package protocol ExitCoded: Error {
    var exitCode: ExitCode { get }
}
