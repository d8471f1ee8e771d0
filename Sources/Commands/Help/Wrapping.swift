/// Breaks texts into lines.
enum Wrapping {
    /// The words of `text` in lines of at most `width` columns; a longer word has a line for itself.
    static func lines(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            if line.isEmpty {
                line = String(word)
            } else if line.displayWidth + 1 + word.displayWidth <= width {
                line += " " + word
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }

    /// Paragraphs, parted by empty lines, each filled anew.
    static func paragraphs(_ text: String) -> [String] {
        text.split(separator: "\n\n").map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    }
}
