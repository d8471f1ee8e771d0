/// A text that must not be seen, such as an API key: only this module reads it, and whatever prints it prints dots.
package struct Secret: Sendable, Hashable {
    let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// Whether there is nothing in it.
    package var isEmpty: Bool { text.isEmpty }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "•••" }
    package var debugDescription: String { description }
    /// Without children, so that `dump` and a failed expectation show nothing either.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
