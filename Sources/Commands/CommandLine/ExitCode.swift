/// What the process's exit status says; scripts and timers rely on the numbers.
///
/// A verb that runs another command may end with any status of that command's; those named here are this program's own.
package struct ExitCode: RawRepresentable, Sendable, Hashable, CaseIterable {
    /// 0 to 255.
    package let rawValue: Int32

    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// All done.
    package static let done = ExitCode(rawValue: 0)
    package static let failed = ExitCode(rawValue: 1)
    /// The command line, or a `POSTERITY_*` variable, is wrong.
    package static let usage = ExitCode(rawValue: 2)
    /// Done, but a picture that exists could not be had.
    package static let incomplete = ExitCode(rawValue: 3)
    /// The API refused the key (401, 402).
    package static let keyRefused = ExitCode(rawValue: 4)
    package static let rateLimited = ExitCode(rawValue: 5)
    package static let cacheTrouble = ExitCode(rawValue: 6)

    package static let allCases: [ExitCode] = [.done, .failed, .usage, .incomplete, .keyRefused, .rateLimited, .cacheTrouble]

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
        default: "The status of the command that was run."
        }
    }
}

/// An error that knows which exit code it stands for; any other error means ``ExitCode/failed``.
package protocol ExitCoded: Error {
    var exitCode: ExitCode { get }
}
