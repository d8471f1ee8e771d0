/// The manual page in mdoc, made from the table of verbs and flags.
enum ManualPage {
    static func text(of program: Program) -> String {
        // The date stays out, so that the same program prints the same page.
        var page = Page()
        page.macro("Dd $Mdocdate$")
        page.macro("Dt POSTERITY 1")
        page.macro("Os")
        page.macro("Sh NAME")
        page.macro("Nm posterity")
        page.macro("Nd", program.summary)
        page.macro("Sh SYNOPSIS")
        page.macro("Nm")
        page.macro("Ar verb")
        page.macro("Op Ar flags")
        page.macro("Op Ar arguments")
        if !program.discussion.isEmpty {
            page.macro("Sh DESCRIPTION")
            page.paragraphs(program.discussion)
        }
        page.macro("Sh VERBS")
        for verb in program.verbs { page.verb(verb) }
        page.macro("Sh FLAGS OF EVERY VERB")
        page.flags(Flags.everywhere + [Flags.version])
        page.macro("Sh ENVIRONMENT")
        page.paragraphs(
            """
            A flag that is not given takes its value from the environment: the variable's name is that of the flag in capitals, \
            with underscores, after POSTERITY_. Switches are 1 or 0. A variable for a flag that can be repeated holds one value a line. \
            An empty variable counts as unset.
            """)
        page.macro("Bl -tag -width Ds")
        var seen: Set<String> = []
        for facts in program.verbs.flatMap(\.allFlags).map(\.facts) {
            guard let variable = facts.variable, seen.insert(variable).inserted else { continue }
            page.macro("It Ev", variable)
            page.line("As --\(facts.name).")
        }
        page.macro("It Ev AMODB_KEY")
        page.line("The API key.")
        page.macro("It Ev NO_COLOR")
        page.line("No colours, even on a terminal.")
        page.macro("It Ev XDG_CACHE_HOME")
        page.line("The directory in which the cache is by default; else ~/.cache.")
        page.macro("El")
        page.macro("Sh EXIT STATUS")
        page.macro("Bl -tag -width Ds")
        for code in ExitCode.allCases {
            page.macro("It", "\(code.rawValue)")
            page.line(code.meaning)
        }
        page.macro("It 130, 143")
        page.line("Stopped by SIGINT or SIGTERM; the cache is sound, and the next run goes on from there.")
        page.macro("El")
        return page.text
    }
}

/// Lines of mdoc, with what is special in them escaped.
private struct Page {
    private(set) var text = ""

    /// A macro line; `argument` is plain text.
    mutating func macro(_ macro: String, _ argument: String = "") {
        // A word of two letters such as "No" would be taken for a macro itself.
        let words = argument.split(separator: " ").map { (($0.count == 2 || $0.count == 1) ? "\\&" : "") + escaped(String($0)) }
        text += "." + ([macro] + words).joined(separator: " ") + "\n"
    }

    mutating func line(_ line: String) {
        text += (line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" : "") + escaped(line) + "\n"
    }

    mutating func paragraphs(_ paragraphs: String) {
        for (index, paragraph) in Wrapping.paragraphs(paragraphs).enumerated() {
            if index > 0 { macro("Pp") }
            line(paragraph)
        }
    }

    mutating func verb(_ verb: Verb) {
        macro("Ss", "posterity " + verb.name + verb.positionals.map { " " + $0.facts.usage }.joined())
        line(verb.summary + ".")
        if !verb.discussion.isEmpty {
            macro("Pp")
            paragraphs(verb.discussion)
        }
        if !verb.positionals.isEmpty {
            macro("Bl -tag -width Ds")
            for facts in verb.positionals.map(\.facts) {
                macro("It Ar", facts.name)
                line(facts.summary + "." + (facts.defaultText.map { " The default is \($0)." } ?? ""))
            }
            macro("El")
        }
        flags(verb.flags, of: verb)
        for example in verb.examples {
            macro("Pp")
            line(example.meaning)
            macro("Dl", example.command)
        }
    }

    mutating func flags(_ flags: [any AnyFlag], of verb: Verb? = nil) {
        guard !flags.isEmpty else { return }
        macro("Bl -tag -width Ds")
        for facts in flags.map(\.facts) {
            let short = facts.short.map { "Fl \($0) , " } ?? ""
            macro("It \(short)Fl -\(facts.name)" + (facts.placeholder.map { " Ar \($0)" } ?? ""))
            var line = facts.summary + "."
            if facts.isNegatable { line += " --no-\(facts.name) means the opposite." }
            for name in verb?.excluded(by: facts) ?? [] { line += " Not with --\(name)." }
            if facts.isRepeatable { line += " Can be given several times." }
            if let text = facts.defaultText { line += " The default is \(text)." }
            self.line(line)
        }
        macro("El")
    }

    private func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\e"
            case "-": "\\-"
            case _ where scalar.isASCII: String(scalar)
            default:
                "\\[u" + String(repeating: "0", count: max(0, 4 - String(scalar.value, radix: 16).count))
                    + String(scalar.value, radix: 16, uppercase: true) + "]"
            }
        }.joined()
    }
}
