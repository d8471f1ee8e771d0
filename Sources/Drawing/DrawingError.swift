/// A drawing that could not be made or written.
package struct DrawingError: Error, Sendable, CustomStringConvertible {
    package enum Code: Sendable, Equatable {
        /// Nothing could be written to the file: no space, no permission, no such directory.
        case cannotWrite
        /// A size that cairo cannot draw on: nothing, or more than 32,767 pixels in one direction.
        case badSize
        case outOfMemory
        case failed
    }

    package let code: Code
    /// What was being done, and what cairo says about it.
    package let description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
