extension Verb {
    private static let about = Positional.optional("VERB", .text("VERB"), "The verb to tell about")
    private static let man = Flag.switch("man", "Print the manual page (roff) instead", environment: false)

    /// `posterity help [VERB]`.
    static let help = Verb(
        "help", in: .about, "Tell about a verb, or print the manual page", positionals: [about], flags: [man],
        examples: [
            Example("posterity help mirror", "The same as posterity mirror --help:"),
            Example("posterity help --man | man -l -", "Read the manual page:"),
        ]
    ) { arguments, context in
        let program = context.program
        let terminal = context.output.terminal
        if arguments[man] {
            try context.output.write(ManualPage.text(of: program))
        } else if let name = arguments[about] {
            try context.output.write(HelpText(terminal).page(of: program.verb(named: name)))
        } else {
            try context.output.write(HelpText(terminal).overview(of: program))
        }
        return .done
    }
}
