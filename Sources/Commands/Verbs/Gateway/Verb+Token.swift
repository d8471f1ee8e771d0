internal import Core
internal import Gateway

extension Flags {
    static let tokensFileToChange = Flag<String>(
        "tokens-file", .file, defaultText: "none", "File of the tokens; made if it is not there", in: .general
    ) { (_) throws(UsageError) in throw UsageError("which file are the tokens in? Give --tokens-file FILE") }
}

extension Verb {
    private static let action = Positional<TokenAction>.one(
        "ACTION", .choice(TokenAction.allCases, "ACTION"), "new, list or revoke")
    private static let tokenName = Positional<String?>.optional(
        "NAME", .text("NAME"), "Whose token it is: letters, digits, -, _ and .")

    /// `posterity token new NAME`, `posterity token list`, `posterity token revoke NAME`.
    static let token = Verb(
        "token", "Make, list and revoke the tokens that `serve` lets clients in by",
        discussion: """
            A token is shown once, when it is made; the file keeps only a salted digest of it. An app sends it as `Authorization: Bearer TOKEN`,
            or as `api_key=TOKEN` where it would have put the API's key. A running `serve` heeds changes within a second.
            """,
        positionals: [action, tokenName], flags: [Flags.tokensFileToChange, Flags.json],
        examples: [
            Example("posterity token new ios --tokens-file tokens.json", "A token for one of the apps:"),
            Example("posterity token revoke ios --tokens-file tokens.json", "Let it in no more:"),
        ]
    ) { arguments, context in
        let file = TokenFile(arguments[Flags.tokensFileToChange])
        let json = arguments[Flags.json]
        switch (arguments[action], arguments[tokenName]) {
        case (.list, nil): try list(file, json: json, context)
        case (.list, _?): throw UsageError("list takes no name")
        case (let action, nil): throw UsageError("\(action.rawValue) needs a name, as in `posterity token \(action.rawValue) ios`")
        case (.new, let name?):
            try file.add(named: name, clock: .system) { text in
                if json {
                    try context.output.write(JSONText.encode(["name": name, "token": text], pretty: false))
                } else {
                    try context.output.writeLine(text)
                }
            }
            if !json { context.log.info("this is \(name)'s token; it is not kept and cannot be shown again") }
        case (.revoke, let name?):
            try file.revoke(name)
            if json {
                try context.output.write(JSONText.encode(["revoked": name], pretty: false))
            } else {
                try context.output.writeLine("\(name): revoked")
            }
        }
        return .done
    }

    private static func list(_ file: TokenFile, json: Bool, _ context: Context) throws {
        let records = try file.records()
        if json {
            struct Machine: Encodable {
                let name: String
                let id: String
                let createdAt: String
            }
            try context.output.write(JSONText.encode(records.map { Machine(name: $0.name, id: $0.id, createdAt: $0.createdAt) }))
        } else {
            var table = TextTable([("NAME", .left), ("ID", .left), ("MADE", .left)])
            for record in records { table.add([record.name, record.id, record.createdAt]) }
            try context.output.write(table.text)
        }
    }
}

/// What `posterity token` does.
enum TokenAction: String, Sendable, CaseIterable {
    case new, list, revoke
}
