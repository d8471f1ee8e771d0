/// What stands on the command line without a flag: `LIST…`, `RUN`.
package struct Positional<Value: Sendable>: AnyPositional {
    package let facts: PositionalFacts
    private let parse: @Sendable ([String]) throws -> Value

    private init(facts: PositionalFacts, parse: @escaping @Sendable ([String]) throws -> Value) {
        self.facts = facts
        self.parse = parse
    }

    /// Exactly one.
    package static func one(_ name: String, _ parser: ValueParser<Value>, _ summary: String) -> Positional {
        Positional(facts: PositionalFacts(name: name, summary: summary, counts: 1...1, completion: parser.completion)) { texts in
            try parser.parse(texts[0])
        }
    }

    /// One or none.
    package static func optional<Wrapped>(
        _ name: String, _ parser: ValueParser<Wrapped>, defaultText: String? = nil, _ summary: String
    ) -> Positional where Value == Wrapped? {
        let facts = PositionalFacts(
            name: name, summary: summary, counts: 0...1, defaultText: defaultText, completion: parser.completion)
        return Positional(facts: facts) { texts in try texts.first.map(parser.parse) }
    }

    /// Any number of them; `values` when there is none.
    package static func any<Element>(
        _ name: String, _ parser: ValueParser<Element>, default values: [Element] = [], _ summary: String
    ) -> Positional where Value == [Element] {
        let described = values.isEmpty ? nil : values.map(parser.describe).joined(separator: " ")
        let facts = PositionalFacts(
            name: name, summary: summary, counts: 0...Int.max, defaultText: described, completion: parser.completion)
        return Positional(facts: facts) { texts in texts.isEmpty ? values : try texts.map(parser.parse) }
    }

    /// At least one.
    package static func some<Element>(_ name: String, _ parser: ValueParser<Element>, _ summary: String) -> Positional
    where Value == [Element] {
        let facts = PositionalFacts(name: name, summary: summary, counts: 1...Int.max, completion: parser.completion)
        return Positional(facts: facts) { texts in try texts.map(parser.parse) }
    }

    package func boxed(_ texts: [String]) throws -> any Sendable { Box(value: try parse(texts)) }
}

/// What is known of a positional argument without knowing its type.
package struct PositionalFacts: Sendable {
    package var name: String
    package var summary: String
    package var counts: ClosedRange<Int>
    package var defaultText: String?
    package var completion: ValueCompletion = .nothing

    /// As in a usage line: `FILE`, `[RUN]`, `[LIST…]`, `FILE…`.
    package var usage: String {
        let repeated = counts.upperBound > 1 ? name + "…" : name
        return counts.lowerBound == 0 ? "[\(repeated)]" : repeated
    }
}

/// A positional argument of any type, as the parser and the help see it.
package protocol AnyPositional: Sendable {
    var facts: PositionalFacts { get }
    func boxed(_ texts: [String]) throws -> any Sendable
}
