internal import CLinux
internal import Glibc

/// What a stream is connected to, and what may be written there besides plain text.
package struct Terminal: Sendable {
    package let descriptor: Int32
    package let isTerminal: Bool
    /// Whether a line can be drawn over; not on `TERM=dumb`.
    package let canRedraw: Bool
    package let hasColour: Bool
    /// Whether characters beyond ASCII are likely to show; judged by the locale.
    package let hasUnicode: Bool
    private let assumedColumns: Int

    package init(descriptor: Int32, _ environment: Environment) {
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
        canRedraw = isTerminal && environment["TERM"] != "dumb" && environment.text("TERM") != nil
        hasColour = canRedraw && environment.text("NO_COLOR") == nil
        let locale = environment.text("LC_ALL") ?? environment.text("LC_CTYPE") ?? environment.text("LANG") ?? ""
        let lower = locale.lowercased()
        hasUnicode = lower.contains("utf-8") || lower.contains("utf8")
        assumedColumns = environment.text("COLUMNS").flatMap(Int.init) ?? 80
    }

    /// A terminal with the given abilities, whatever the descriptor is; for tests.
    init(descriptor: Int32, canRedraw: Bool, hasColour: Bool = false, hasUnicode: Bool = true, columns: Int = 80) {
        self.descriptor = descriptor
        isTerminal = false
        self.canRedraw = canRedraw
        self.hasColour = hasColour
        self.hasUnicode = hasUnicode
        assumedColumns = columns
    }

    /// How many columns it has now; 80 when nothing tells.
    package var columns: Int {
        let told = isTerminal ? Int(posterity_terminal_columns(descriptor)) : 0
        return told > 0 ? told : max(1, assumedColumns)
    }

    /// The width to which long texts such as help are wrapped: 80, or the terminal's own, but no wider than is pleasant to read.
    package var textWidth: Int { isTerminal ? min(max(40, columns), 100) : 80 }

    package var style: TextStyle { TextStyle(hasColour: hasColour) }
}

/// Bold and dim where the terminal has them, plain elsewhere.
package struct TextStyle: Sendable {
    package let hasColour: Bool

    package static let plain = TextStyle(hasColour: false)

    package init(hasColour: Bool) {
        self.hasColour = hasColour
    }

    package func heading(_ text: String) -> String { wrap(text, "1") }
    package func name(_ text: String) -> String { wrap(text, "36") }
    package func faint(_ text: String) -> String { wrap(text, "2") }
    package func warning(_ text: String) -> String { wrap(text, "33") }
    package func error(_ text: String) -> String { wrap(text, "1;31") }

    private func wrap(_ text: String, _ code: String) -> String {
        hasColour ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
