/// Where log lines go. The sink decides about form and place; a library only says what happened and how much it matters.
package struct Log: Sendable {
    package enum Level: Int, Sendable, Comparable, CaseIterable {
        case debug, info, warning, error

        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    private let minimum: Level
    private let sink: @Sendable (Level, String) -> Void

    /// - Parameter sink: is called from any thread, with a text that is already safe to print.
    package init(minimum: Level, sink: @escaping @Sendable (Level, String) -> Void) {
        self.minimum = minimum
        self.sink = sink
    }

    /// Keeps nothing.
    package static let silent = Log(minimum: .error) { _, _ in }

    package func debug(_ message: @autoclosure () -> String) { write(.debug, message) }
    package func info(_ message: @autoclosure () -> String) { write(.info, message) }
    package func warning(_ message: @autoclosure () -> String) { write(.warning, message) }
    package func error(_ message: @autoclosure () -> String) { write(.error, message) }

    private func write(_ level: Level, _ message: () -> String) {
        guard level >= minimum else { return }
        sink(level, message().printable)
    }
}
