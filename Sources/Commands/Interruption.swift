/// A verb that was asked to stop, and did.
struct Interruption: Error, CustomStringConvertible {
    let description: String

    /// - Parameter state: what is done, and how to go on; a verb that can say nothing of the kind just ends by `CancellationError`.
    init(_ state: String? = nil) {
        description = "interrupted" + (state.map { ": " + $0 } ?? "")
    }
}
