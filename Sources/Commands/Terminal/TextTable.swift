internal import Core

/// Rows of text in columns, for a terminal or a file.
struct TextTable {
    enum Alignment {
        case left, right
    }

    private let headings: [String]
    private let alignments: [Alignment]
    private var rows: [[String]] = []

    /// - Parameter columns: headings, and how what is below them is aligned.
    init(_ columns: [(String, Alignment)]) {
        headings = columns.map(\.0)
        alignments = columns.map(\.1)
    }

    /// - Parameter cells: as many as there are columns; may hold anything, as they are made safe to print.
    mutating func add(_ cells: [String]) {
        rows.append(cells.map(\.printable))
    }

    /// Lines with two spaces between columns, each ended.
    var text: String {
        let all = [headings] + rows
        let widths = headings.indices.map { column in all.map { $0[column].displayWidth }.max() ?? 0 }
        return all.map { row in
            let cells = row.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - row[column].displayWidth)
                return alignments[column] == .left ? row[column] + padding : padding + row[column]
            }
            var line = cells.joined(separator: "  ")
            while line.hasSuffix(" ") { line.removeLast() }
            return line + "\n"
        }.joined()
    }
}
