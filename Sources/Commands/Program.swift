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

    /// Runs the command line of this process, and exits with its status.
    ///
    /// The verb runs in a task, while this thread, the main one, waits for signals: so it must not be called from an `async` main, whose
    /// runtime parks the main thread where a signal would kill the process.
    ///
    /// - Parameter arguments: with the program's own name first.
    package func main(_ arguments: [String], _ environment: Environment) -> Never {
        Descriptor.openStandardStreams()
        Signals.ignoreWriteSignals()
        switch begin(Array(arguments.dropFirst()), environment, output: STDOUT_FILENO, errors: STDERR_FILENO) {
        case .ended(let code):
            exit(code.rawValue)
        case .run(let verb, let arguments, let context):
            let signals = Signals.block()
            ProcessLimits.check()
            let task = Task { try await verb.run(arguments, context) }
            Task {
                let result = await task.result
                exit(conclude(result, verb, context, stoppedBy: signals.first))
            }
            signals.wait(
                grace: verb.grace,
                stop: { task.cancel() },
                abandon: { context.console.abandon() })
        }
    }

    /// Runs one command line, leaving the process's signals alone, and gives the exit status.
    ///
    /// - Parameter arguments: without the program's own name.
    func run(_ arguments: [String], _ environment: Environment, output: Int32, errors: Int32) async -> Int32 {
        switch begin(arguments, environment, output: output, errors: errors) {
        case .ended(let code):
            return code.rawValue
        case .run(let verb, let arguments, let context):
            let result = await Task { try await verb.run(arguments, context) }.result
            return conclude(result, verb, context, stoppedBy: nil)
        }
    }

    // MARK: - Private

    private enum Beginning {
        case ended(ExitCode)
        case run(Verb, Arguments, Context)
    }

    /// Reads the command line, and does at once what needs no verb to run.
    private func begin(_ arguments: [String], _ environment: Environment, output: Int32, errors: Int32) -> Beginning {
        let errors = Terminal(descriptor: errors, environment)
        let console = Console(errors)
        let output = Output(Terminal(descriptor: output, environment))
        let request: Parser.Request
        do {
            request = try Parser(program: self, environment: environment).parse(arguments)
        } catch {
            return .ended(complain(error.error, verb: error.verb, on: console))
        }
        switch request {
        case .version:
            return .ended(finish(on: console) { try output.writeLine("posterity \(version)") })
        case .overview:
            return .ended(finish(on: console) { try output.write(HelpText(output.terminal).overview(of: self)) })
        case .help(let verb):
            return .ended(finish(on: console) { try output.write(HelpText(output.terminal).page(of: verb)) })
        case .run(let verb, let arguments):
            let minimum: Log.Level = arguments[Flags.quiet] ? .error : arguments[Flags.verbose] ? .debug : .info
            let console = Console(errors, minimum: minimum, isQueued: verb.isLogQueued)
            let output = Output(output.terminal, console: console)
            for complaint in unknownVariables(of: environment) { console.log.warning(complaint) }
            return .run(verb, arguments, Context(program: self, environment: environment, output: output, console: console))
        }
    }

    /// A sentence for each variable that looks like a setting and is none.
    private func unknownVariables(of environment: Environment) -> [String] {
        let known = Set(verbs.flatMap(\.allFlags).compactMap(\.facts.variable))
        let unknown = environment.variables.keys.filter { $0.hasPrefix("POSTERITY_") && !known.contains($0) }
        return unknown.sorted().map { name in
            let nearest = Suggestion.nearest(to: name, among: known.sorted()).map { "; did you mean \($0)?" } ?? ""
            return "\(name.prefix(60)) is no setting\(nearest)"
        }
    }

    /// The exit status that a verb's end stands for.
    private func conclude(_ result: Result<ExitCode, any Error>, _ verb: Verb, _ context: Context, stoppedBy signal: Int32?) -> Int32 {
        let code: ExitCode
        switch result {
        case .success(let returned): code = returned
        case .failure(is CancellationError) where signal != nil: code = complain(Interruption(), verb: verb, on: context.console)
        case .failure(let error): code = complain(error, verb: verb, on: context.console)
        }
        context.console.close()
        if let signal, code != .done { return 128 + signal }
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
