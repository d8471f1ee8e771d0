internal import Core

/// A text that must not be seen, such as an API key: only this module reads it, and whatever prints it prints dots.
package struct Secret: Sendable, Hashable {
    let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// Whether there is nothing in it.
    package var isEmpty: Bool { text.isEmpty }

    /// Tells one secret from another without telling either: the beginning of its digest.
    package var fingerprint: String { String(Digest(of: text.utf8).hex.prefix(16)) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "•••" }
    package var debugDescription: String { description }
    /// Without children, so that `dump` and a failed expectation show nothing either.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
