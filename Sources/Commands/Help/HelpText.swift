/// The pages that `--help` prints, made from the table of verbs and flags.
package struct HelpText {
    let width: Int
    let style: TextStyle

    package init(width: Int = 80, style: TextStyle = .plain) {
        self.width = width
        self.style = style
    }

    package init(_ terminal: Terminal) {
        self.init(width: terminal.textWidth, style: terminal.style)
    }

    /// What `posterity` alone prints: the verbs.
    package func overview(of program: Program) -> String {
        var text = fill(program.summary) + "\n" + usage("posterity VERB [FLAGS] [ARGUMENTS]")
        var groups: [VerbGroup] = []
        for verb in program.verbs where !groups.contains(verb.group) { groups.append(verb.group) }
        let column = (program.verbs.map(\.name.count).max() ?? 0) + 4
        for group in groups {
            let rows = program.verbs.filter { $0.group == group }.map { Row(name: $0.name, text: $0.summary) }
            text += section(group.heading, rows, column: column)
        }
        let rows = (Flags.everywhere + [Flags.version]).map { Row($0.facts) }
        text += section("Flags", rows, column: max(column, 17))
        text += "\n" + fill("'posterity VERB --help' tells more about a verb, 'posterity help --man' prints the manual page.")
        return text
    }

    /// What `posterity VERB --help` prints.
    package func page(of verb: Verb) -> String {
        var text = fill(verb.summary)
        for paragraph in Wrapping.paragraphs(verb.discussion) { text += "\n" + fill(paragraph) }
        let positionals = verb.positionals.map { " " + $0.facts.usage }.joined()
        text += "\n" + usage("posterity \(verb.name) [FLAGS]" + positionals)
        let flagRows = verb.allFlags.map { ($0.facts.group, Row($0.facts, excluded: verb.excluded(by: $0.facts))) }
        let positionalRows = verb.positionals.map { Row($0.facts) }
        let column = column(for: positionalRows + flagRows.map(\.1))
        if !positionalRows.isEmpty { text += section("Arguments", positionalRows, column: column) }
        var groups: [FlagGroup] = []
        // General output flags come last, wherever a verb lists its own.
        for (group, _) in flagRows where !groups.contains(group) && group != .output { groups.append(group) }
        for group in groups + [.output] {
            text += section(group.heading, flagRows.filter { $0.0 == group }.map(\.1), column: column)
        }
        if !verb.examples.isEmpty {
            text += "\n" + style.heading("Examples:") + "\n"
            for example in verb.examples {
                for line in Wrapping.lines(example.meaning, width: width - 4) { text += "  " + style.faint("# " + line) + "\n" }
                text += "  " + example.command + "\n"
            }
        }
        if let flag = verb.flags.first(where: { $0.facts.variable != nil }), let variable = flag.facts.variable {
            text += "\n" + fill("Flags can be set in the environment, too: --\(flag.facts.name) as \(variable).")
        }
        return text
    }

    // MARK: - Private

    private func usage(_ line: String) -> String {
        let indentation = String(repeating: " ", count: 7)
        return style.heading("Usage:") + " " + Wrapping.lines(line, width: width - 7).joined(separator: "\n" + indentation) + "\n"
    }

    private func fill(_ paragraph: String) -> String {
        Wrapping.lines(paragraph, width: width).map { $0 + "\n" }.joined()
    }

    /// Where the right-hand column begins: behind the longest name, but not so far right that the texts have no room.
    private func column(for rows: [Row]) -> Int {
        let longest = (rows.map(\.name.displayWidth).max() ?? 0) + 4
        return min(longest, max(20, width * 2 / 5))
    }

    private func section(_ heading: String, _ rows: [Row], column: Int) -> String {
        var text = "\n" + style.heading(heading + ":") + "\n"
        for row in rows {
            let lines = Wrapping.lines(row.text, width: width - column)
            let room = column - 2 - row.name.displayWidth
            let fitsBeside = room >= 2
            text += "  " + style.name(row.name)
            text += fitsBeside ? String(repeating: " ", count: room) + (lines.first ?? "") + "\n" : "\n"
            for line in lines.dropFirst(fitsBeside ? 1 : 0) { text += String(repeating: " ", count: column) + line + "\n" }
        }
        return text
    }
}

/// A line of a section: what is explained, and the explanation.
private struct Row {
    let name: String
    let text: String

    init(name: String, text: String) {
        self.name = name
        self.text = text
    }

    init(_ facts: FlagFacts, excluded: [String] = []) {
        let short = facts.short.map { "-\($0), " } ?? "    "
        let long = facts.isNegatable ? "--[no-]\(facts.name)" : "--\(facts.name)"
        name = short + long + (facts.placeholder.map { " " + $0 } ?? "")
        var notes: [String] = []
        if !excluded.isEmpty { notes.append("not with " + excluded.map { "--" + $0 }.joined(separator: " or ")) }
        if facts.isRepeatable { notes.append("repeatable") }
        if let text = facts.defaultText { notes.append("default: " + text) }
        text = facts.summary + (notes.isEmpty ? "" : " [" + notes.joined(separator: "; ") + "]")
    }

    init(_ facts: PositionalFacts) {
        name = facts.usage
        text = facts.summary + (facts.defaultText.map { " [default: \($0)]" } ?? "")
    }
}
