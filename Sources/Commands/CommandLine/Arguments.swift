/// What the command line and the environment say, for one verb.
package struct Arguments: Sendable {
    /// Where a flag's value comes from.
    package enum Source: Sendable {
        case commandLine, environment, fallback
    }

    var flags: [String: any Sendable] = [:]
    var sources: [String: Source] = [:]
    var positionals: [String: any Sendable] = [:]

    /// The flag's value. The verb must list the flag among its own; to read another is a programmer's mistake.
    package subscript<Value>(flag: Flag<Value>) -> Value {
        guard let box = flags[flag.facts.name] as? Box<Value> else {
            preconditionFailure("the verb does not list --\(flag.facts.name)")
        }
        return box.value
    }

    /// The positional argument's value.
    package subscript<Value>(positional: Positional<Value>) -> Value {
        guard let box = positionals[positional.facts.name] as? Box<Value> else {
            preconditionFailure("the verb does not list \(positional.facts.name)")
        }
        return box.value
    }

    /// Whether the flag's value was given, or else is its default.
    package func source(of flag: any AnyFlag) -> Source {
        sources[flag.facts.name] ?? .fallback
    }
}
