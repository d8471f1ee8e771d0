internal import Core

/// A flag, described once: parsing, help, completion and the manual page all follow from it.
///
/// Verbs list the flags that they take, and read `arguments[Flags.concurrency]`, typed. A value comes from the command line, else from
/// the environment, else it is the default. A flag given twice counts as last given, so that an alias's flags can be overruled.
package struct Flag<Value: Sendable>: AnyFlag {
    package let facts: FlagFacts
    private let parse: @Sendable ([String]) throws -> Value
    private let fallback: @Sendable (Environment) throws(UsageError) -> Value

    /// - Parameters:
    ///   - fallback: the value when neither the command line nor the environment gives one.
    ///   - parse: makes the value of all the texts given, in order; there is at least one.
    package init(
        facts: FlagFacts, fallback: @escaping @Sendable (Environment) throws(UsageError) -> Value,
        parse: @escaping @Sendable ([String]) throws -> Value
    ) {
        self.facts = facts
        self.fallback = fallback
        self.parse = parse
    }

    /// A flag with a value, and a default.
    ///
    /// - Parameters:
    ///   - defaultText: what help says of the default, if not the value itself.
    ///   - environment: whether `POSTERITY_<NAME>` sets it too.
    package init(
        _ name: String, short: Character? = nil, _ parser: ValueParser<Value>, default value: Value, defaultText: String? = nil,
        _ summary: String, in group: FlagGroup = .general, environment: Bool = true
    ) {
        self.init(
            facts: FlagFacts(
                name: name, short: short, placeholder: parser.placeholder, summary: summary, group: group,
                defaultText: defaultText ?? parser.describe(value), hasVariable: environment, completion: parser.completion),
            fallback: { _ throws(UsageError) in value },
            parse: { texts in try texts.map(parser.parse).last! })
    }

    /// A flag with a value, whose default depends on the environment.
    package init(
        _ name: String, short: Character? = nil, _ parser: ValueParser<Value>, defaultText: String, _ summary: String,
        in group: FlagGroup = .general, environment: Bool = true,
        fallback: @escaping @Sendable (Environment) throws(UsageError) -> Value
    ) {
        self.init(
            facts: FlagFacts(
                name: name, short: short, placeholder: parser.placeholder, summary: summary, group: group, defaultText: defaultText,
                hasVariable: environment, completion: parser.completion),
            fallback: fallback,
            parse: { texts in try texts.map(parser.parse).last! })
    }

    /// A flag with a value that need not be given.
    package static func optional<Wrapped>(
        _ name: String, short: Character? = nil, _ parser: ValueParser<Wrapped>, defaultText: String? = nil, _ summary: String,
        in group: FlagGroup = .general, environment: Bool = true
    ) -> Flag where Value == Wrapped? {
        Flag(
            facts: FlagFacts(
                name: name, short: short, placeholder: parser.placeholder, summary: summary, group: group, defaultText: defaultText,
                hasVariable: environment, completion: parser.completion),
            fallback: { _ throws(UsageError) in nil },
            parse: { texts in try texts.map(parser.parse).last! })
    }

    /// A flag that may be given several times, each time with a value; its variable holds one value a line.
    package static func repeated<Element>(
        _ name: String, short: Character? = nil, _ parser: ValueParser<Element>, default values: [Element] = [],
        defaultText: String? = nil, _ summary: String, in group: FlagGroup = .general, environment: Bool = true
    ) -> Flag where Value == [Element] {
        let described = values.isEmpty ? nil : values.map(parser.describe).joined(separator: " ")
        return Flag(
            facts: FlagFacts(
                name: name, short: short, placeholder: parser.placeholder, summary: summary, group: group,
                defaultText: defaultText ?? described, hasVariable: environment, completion: parser.completion, isRepeatable: true),
            fallback: { _ throws(UsageError) in values },
            parse: { texts in try texts.map(parser.parse) })
    }

    /// A flag without a value.
    ///
    /// - Parameter negatable: whether there is a `--no-<name>` as well; without it a switch is off by default.
    package static func `switch`(
        _ name: String, short: Character? = nil, default isOn: Bool = false, negatable: Bool = false, _ summary: String,
        in group: FlagGroup = .general, environment: Bool = true
    ) -> Flag where Value == Bool {
        Flag(
            facts: FlagFacts(
                name: name, short: short, placeholder: nil, summary: summary, group: group, defaultText: isOn ? "on" : nil,
                hasVariable: environment, completion: .nothing, isNegatable: negatable),
            fallback: { _ throws(UsageError) in isOn },
            parse: { texts in
                switch texts.last!.lowercased() {
                case "1", "true", "yes", "on": return true
                case "0", "false", "no", "off": return false
                default: throw ValueError("is neither 1 nor 0")
                }
            })
    }

    package func boxed(_ texts: [String]) throws -> any Sendable { Box(value: try parse(texts)) }
    package func boxedFallback(_ environment: Environment) throws(UsageError) -> any Sendable { Box(value: try fallback(environment)) }
}

/// What is known of a flag without knowing its type.
package struct FlagFacts: Sendable {
    /// Without the dashes.
    package var name: String
    package var short: Character?
    /// Nil for a switch.
    package var placeholder: String?
    /// One sentence, without a full stop at its end.
    package var summary: String
    package var group: FlagGroup
    package var defaultText: String?
    /// Whether a variable sets it as well.
    package var hasVariable = true
    package var completion: ValueCompletion = .nothing
    package var isRepeatable = false
    package var isNegatable = false

    /// `POSTERITY_RENDER_THREADS` for `render-threads`.
    package var variable: String? {
        hasVariable ? "POSTERITY_" + name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined() : nil
    }
}

/// The heading in help under which a flag stands.
package struct FlagGroup: Sendable, Hashable {
    package let heading: String

    package init(_ heading: String) {
        self.heading = heading
    }

    package static let general = FlagGroup("Flags")
    package static let output = FlagGroup("Output")
}

/// A flag of any type, as the parser and the help see it.
package protocol AnyFlag: Sendable {
    var facts: FlagFacts { get }
    func boxed(_ texts: [String]) throws -> any Sendable
    func boxedFallback(_ environment: Environment) throws(UsageError) -> any Sendable
}

/// Holds a value in an existential so that an optional inside is never mistaken for the existential's own emptiness.
struct Box<Value: Sendable>: Sendable {
    let value: Value
}
