internal import Amodb
internal import Core

extension Verb {
    /// `posterity languages`.
    static let languages = Verb(
        "languages", "List the languages that the API has titles in",
        discussion: """
            The tags that --language takes, each also with a region behind it, such as pt-BR. Any other tag is allowed, and the API answers
            in English.
            """,
        flags: [Flags.json],
        examples: [Example("posterity languages", "Tag, name, and the name in the language itself:")]
    ) { arguments, context in
        struct Row: Encodable {
            let tag: String
            let englishName: String
            let nativeName: String
        }
        if arguments[Flags.json] {
            let rows = Language.all.map { Row(tag: $0.tag, englishName: $0.englishName, nativeName: $0.nativeName) }
            try context.output.write(JSONText.encode(rows))
        } else {
            // The native names come last: some are read from the right, and nothing can be aligned behind them.
            var table = TextTable([("tag", .left), ("name", .left), ("native name", .left)])
            for language in Language.all { table.add([language.tag, language.englishName, language.nativeName]) }
            try context.output.write(Array(table.text.utf8))
        }
        return .done
    }
}
