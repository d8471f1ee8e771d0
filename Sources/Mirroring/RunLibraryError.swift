internal import Core

/// Why a run cannot be shown.
package struct RunLibraryError: Error, CustomStringConvertible {
    package enum Code: Sendable {
        /// Nothing is known of what was asked for.
        case notFound
        /// The run's file is not what was written.
        case damaged
        /// A newer version of this program has written it.
        case newerVersion
    }

    package let code: Code
    package let description: String

    init(_ description: String, _ code: Code = .notFound) {
        self.code = code
        self.description = description.printable
    }
}
