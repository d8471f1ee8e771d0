/// How the text after a flag, or in its variable, becomes a value; and what help and completion can say about it.
package struct ValueParser<Value: Sendable>: Sendable {
    /// Stands for the value in help: `N`, `DIR`.
    package let placeholder: String
    package let completion: ValueCompletion
    /// Throws ``ValueError`` to continue the sentence `--flag: "text" …`, or any other error whose description is a sentence of its own.
    package let parse: @Sendable (String) throws -> Value
    /// The inverse of ``parse``, for the default in help.
    package let describe: @Sendable (Value) -> String

    package init(
        _ placeholder: String, completion: ValueCompletion = .nothing,
        describe: @escaping @Sendable (Value) -> String = { "\($0)" },
        parse: @escaping @Sendable (String) throws -> Value
    ) {
        self.placeholder = placeholder
        self.completion = completion
        self.describe = describe
        self.parse = parse
    }

    /// The same parser, shown in help with another placeholder.
    package func named(_ placeholder: String) -> ValueParser {
        ValueParser(placeholder, completion: completion, describe: describe, parse: parse)
    }

    /// The same parser, with values that completion offers although others are allowed too.
    package func offering(_ values: [String]) -> ValueParser {
        ValueParser(placeholder, completion: .values(values), describe: describe, parse: parse)
    }
}

/// What a shell can offer in a value's place.
package enum ValueCompletion: Sendable, Hashable {
    case nothing
    case values([String])
    /// Several of the values, with commas between.
    case commaList([String])
    case files
    case directories

    /// The values themselves, if they are known.
    package var values: [String] {
        switch self {
        case .values(let values), .commaList(let values): values
        case .nothing, .files, .directories: []
        }
    }
}
