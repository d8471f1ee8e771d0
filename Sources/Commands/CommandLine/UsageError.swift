internal import Core

/// The command line is wrong: one sentence that names what, and where possible what was meant.
package struct UsageError: ExitCoded, CustomStringConvertible {
    /// Printed after `posterity mirror: `; begins in lower case and has no full stop.
    package let description: String

    package init(_ description: String) {
        self.description = description.printable
    }

    package var exitCode: ExitCode { .usage }
}

/// Why a text is not a value of the kind that a flag takes.
package struct ValueError: Error, CustomStringConvertible {
    /// What follows the quoted text: `is not a whole number from 1 to 64`.
    package let description: String

    package init(_ problem: String) {
        description = problem
    }
}
