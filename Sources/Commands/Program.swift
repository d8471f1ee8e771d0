internal import Core
internal import Glibc

/// The whole command line: a table of verbs, and how one of them is run.
package struct Program: Sendable {
    package let version: String
    /// One line, without a full stop.
    package let summary: String
    /// Paragraphs for the manual page.
    package let discussion: String
    package let verbs: [Verb]

    /// - Parameter verbs: in the order of the overview; `help` and `completion` are added.
    package init(version: String, summary: String, discussion: String = "", verbs: [Verb]) {
        self.version = version
        self.summary = summary
        self.discussion = discussion
        self.verbs = verbs + [.completion, .help]
    }

    func verb(named name: String) throws(UsageError) -> Verb {
        if let verb = verbs.first(where: { $0.name == name }) { return verb }
        let nearest = Suggestion.nearest(to: name, among: verbs.map(\.name)).map { "; did you mean \($0)?" } ?? ""
        throw UsageError("unknown verb \(name)\(nearest)")
    }

    /// How long a verb may take to stop before the process ends regardless.
    private static let grace = Duration.milliseconds(900)

    /// Runs the command line of this process and gives its exit status.
    ///
    /// - Parameter arguments: with the program's own name first.
    package static func main(_ arguments: [String], _ environment: Environment) async -> Int32 {
        Descriptor.openStandardStreams()
        Signals.ignoreWriteSignals()
        return await Program.posterity.run(Array(arguments.dropFirst()), environment, signals: .block())
    }

    /// Runs one command line and gives the exit status.
    ///
    /// - Parameters:
    ///   - arguments: without the program's own name.
    ///   - signals: nil leaves the process's signals alone.
    func run(
        _ arguments: [String], _ environment: Environment, output: Int32 = STDOUT_FILENO, errors: Int32 = STDERR_FILENO,
        signals: Signals? = nil
    ) async -> Int32 {
        let errorTerminal = Terminal(descriptor: errors, environment)
        let plainConsole = Console(errorTerminal)
        let plainOutput = Output(Terminal(descriptor: output, environment))
        let request: Parser.Request
        do {
            request = try Parser(program: self, environment: environment).parse(arguments)
        } catch {
            return complain(error.error, verb: error.verb, on: plainConsole).rawValue
        }
        switch request {
        case .version:
            return finish(on: plainConsole) { try plainOutput.writeLine("posterity \(version)") }.rawValue
        case .overview:
            return finish(on: plainConsole) { try plainOutput.write(HelpText(plainOutput.terminal).overview(of: self)) }.rawValue
        case .help(let verb):
            return finish(on: plainConsole) { try plainOutput.write(HelpText(plainOutput.terminal).page(of: verb)) }.rawValue
        case .run(let verb, let arguments):
            let minimum: Log.Level = arguments[Flags.quiet] ? .error : arguments[Flags.verbose] ? .debug : .info
            let console = Console(errorTerminal, minimum: minimum)
            let output = Output(plainOutput.terminal, console: console)
            let context = Context(program: self, environment: environment, output: output, console: console)
            return await run(verb, arguments, context, signals)
        }
    }

    // MARK: - Private

    private func run(_ verb: Verb, _ arguments: Arguments, _ context: Context, _ signals: Signals?) async -> Int32 {
        let task = Task { try await verb.run(arguments, context) }
        signals?.watch(grace: Self.grace) { task.cancel() }
        let code: ExitCode
        switch await task.result {
        case .success(let returned): code = returned
        case .failure(is CancellationError) where signals?.first != nil: code = .failed
        case .failure(let error): code = complain(error, verb: verb, on: context.console)
        }
        if let signal = signals?.first, code != .done { return 128 + signal }
        return code.rawValue
    }

    private func finish(on console: Console, _ body: () throws -> Void) -> ExitCode {
        do {
            try body()
            return .done
        } catch {
            return complain(error, verb: nil, on: console)
        }
    }

    /// The one place where an error becomes a sentence and an exit code.
    private func complain(_ error: any Error, verb: Verb?, on console: Console) -> ExitCode {
        let name = verb.map { "posterity \($0.name)" } ?? "posterity"
        switch error {
        case let error as OutputError where error.isBrokenPipe:
            return error.exitCode
        case let error as UsageError:
            console.printLine("\(name): \(error)")
            console.printLine("Try '\(name) --help'.")
            return error.exitCode
        default:
            console.log.error("\(error)")
            return (error as? any ExitCoded)?.exitCode ?? .failed
        }
    }
}
