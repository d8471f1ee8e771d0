/// A contact sheet that could not be made.
package struct SheetError: Error, Sendable, CustomStringConvertible {
    package enum Code: Sendable, Equatable {
        /// The options contradict each other or the format: wrong usage.
        case badOptions
        case cannotWrite
        case failed
    }

    package let code: Code
    /// What is wrong, and what to do.
    package let description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
