internal import Core
/// Reads a command line against the program's table of verbs.
struct Parser {
    /// What the command line asks for.
    enum Request: Sendable {
        case overview
        case help(Verb)
        case version
        case run(Verb, Arguments)
    }

    /// A usage error, and the verb whose help would clear it up.
    struct Failure: Error {
        let verb: Verb?
        let error: UsageError
    }

    let program: Program
    let environment: Environment

    /// - Parameter tokens: the command line without the program's own name.
    func parse(_ tokens: [String]) throws(Failure) -> Request {
        var leading: [String] = []
        for (index, token) in tokens.enumerated() {
            switch token {
            case "--help", "-h": return .overview
            case "--version", "-V": return .version
            case _ where token.hasPrefix("-") && token != "-" && token != "--":
                try checkLeading(token)
                leading.append(token)
            default:
                let verb: Verb
                do throws(UsageError) {
                    verb = try program.verb(named: token)
                } catch {
                    throw Failure(verb: nil, error: error)
                }
                var reading = Reading(verb: verb)
                do throws(UsageError) {
                    guard try reading.read(leading + tokens[(index + 1)...], owners: program.verbs) else { return .help(verb) }
                    return .run(verb, try reading.arguments(environment))
                } catch {
                    throw Failure(verb: verb, error: error)
                }
            }
        }
        return .overview
    }

    // MARK: - Private

    /// Before the verb only the switches that every verb has may stand: nothing else can be told from a verb with certainty.
    private func checkLeading(_ token: String) throws(Failure) {
        let name = String(token.drop { $0 == "-" }.prefix { $0 != "=" })
        if token.hasPrefix("--") {
            if Flags.everywhere.contains(where: { $0.facts.name == name }) { return }
            if let owner = program.verbs.first(where: { $0.flags.contains { $0.facts.name == name } }) {
                throw Failure(verb: nil, error: UsageError("--\(name) goes after the verb, as in posterity \(owner.name) --\(name)"))
            }
            let known = Flags.everywhere.map(\.facts.name) + ["version"]
            let nearest = Suggestion.nearest(to: name, among: known).map { "; did you mean --\($0)?" } ?? ""
            throw Failure(verb: nil, error: UsageError("unknown flag --\(name)\(nearest)"))
        }
        for letter in name where !Flags.everywhere.contains(where: { $0.facts.short == letter }) {
            throw Failure(verb: nil, error: UsageError("-\(letter) is not a flag that can stand before the verb"))
        }
    }
}
