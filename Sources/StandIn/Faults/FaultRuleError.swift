/// A fault rule that cannot be understood; says which word, and what would be.
package struct FaultRuleError: Error, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
