internal import Core
internal import Gateway
internal import Imaging
internal import Mirroring
internal import Serving

extension FlagGroup {
    static let clients = FlagGroup("Clients")
    static let serving = FlagGroup("What to serve")
}

extension Flags {
    static let listen = Flag<[ListenAddress]>.repeated(
        "listen", .listenAddress, default: [.tcp(host: "127.0.0.1", port: 8_080)],
        "Address to listen on, such as 127.0.0.1:8080, [::1]:8080 or unix:/run/posterity.sock; port 0 takes any that is free; may be given several times",
        in: .server)
    static let admin = Flag<ListenAddress?>.optional(
        "admin", .listenAddress, defaultText: "none", "Address for the owner alone, with /healthz, /readyz and /metrics", in: .server)
    static let accessLog = Flag(
        "access-log", .choice(AccessLogForm.allCases, "FORM"), default: .lines, "How each request is written down: lines, json or off",
        in: .server)
    static let accessLogFile = Flag<String?>.optional(
        "access-log-file", .file, defaultText: "standard error", "File to add the access log to; it may be rotated", in: .server)
    static let workers = Flag<Int>(
        "workers", .integer(1...64), defaultText: "one a core, at most four", "Threads that serve", in: .server
    ) { (_) throws(UsageError) in min(4, ProcessorCount.available) }

    static let tokensFile = Flag<String?>.optional(
        "tokens-file", .file, defaultText: "none: everybody is let in", "File of the tokens that let clients in; see `posterity token`",
        in: .clients)
    static let isPublic = Flag.switch("public", "Let everybody in who can reach an address that is not this machine's own", in: .clients)
    static let clientLimit = Flag(
        "client-limit", .integer(0...1_000_000), default: 600,
        "Requests that an address may make in a minute; 0 for no limit", in: .clients)
    static let tokenLimit = Flag(
        "token-limit", .integer(0...100_000_000), default: 0,
        "Requests that all who have the same token may make in a minute together; 0 for no limit", in: .clients)
    static let behindProxy = Flag.switch(
        "behind-proxy", "Take a client's address from the last entry of X-Forwarded-For, which a proxy in front has added", in: .clients)
    static let cors = Flag<[String]>.repeated(
        "cors", .origin, "Origin whose web pages may read the answers, such as https://films.example, or *; may be given several times",
        in: .clients)

    static let allow = Flag<[RoutePattern]>.repeated(
        "allow", .routePattern,
        "Path of the API to let through besides the usual ones, such as 'discover/movie?page&sort_by' or 'person/{id}'; may be given several times",
        in: .serving)
    static let servedSizes = Flag(
        "sizes", .commaList(of: .posterSize, "SIZES"),
        default: ["w92", "w154", "w185", "w342", "w500", "w780"].compactMap(PosterSize.init),
        "Sizes of pictures to serve", in: .serving)
    static let namedRecipe = Flag<[NamedRecipe]>.repeated(
        "recipe", .namedRecipe,
        "What /r/NAME/SIZE/FILE makes of pictures, such as thumb=cover,radius=10%,webp (see docs/recipes.md); may be given several times",
        in: .serving, environment: false)
    static let servedSite = Flag<String?>.optional(
        "site", .existingDirectory, defaultText: "none", "Published site to serve beside", in: .serving)
    static let staleFor = Flag(
        "stale-for", .duration(atMost: .seconds(90 * 86_400)), default: .seconds(7 * 86_400),
        "How long an answer that has become stale is given when the API cannot be asked", in: .serving)
}

/// A recipe that clients know by a name.
struct NamedRecipe: Sendable {
    let name: String
    let recipe: Recipe
}

extension ValueParser where Value == ListenAddress {
    static var listenAddress: ValueParser {
        ValueParser("ADDRESS", describe: \.description) { text in
            do {
                return try ListenAddress(text)
            } catch let error as HTTPServerError {
                throw ValueError("will not do: \(error)")
            }
        }
    }
}

extension ValueParser where Value == RoutePattern {
    static var routePattern: ValueParser {
        ValueParser("PATTERN") { text in
            do {
                return try RoutePattern(text)
            } catch let error as RoutePatternError {
                throw ValueError("\(error)")
            }
        }
    }
}

extension ValueParser where Value == NamedRecipe {
    static var namedRecipe: ValueParser {
        ValueParser("NAME=TEXT") { text in
            guard let equals = text.firstIndex(of: "=") else { throw ValueError("has no name; give one as in thumb=cover,webp") }
            let name = text[..<equals]
            guard (1...64).contains(name.utf8.count), name.utf8.allSatisfy({ $0 < 128 }),
                name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
            else { throw ValueError("has a name of something else than letters, digits, - and _; give one as in thumb=cover,webp") }
            return NamedRecipe(name: String(name), recipe: try ValueParser<Recipe>.recipe.parse(String(text[text.index(after: equals)...])))
        }
    }
}

extension ValueParser where Value == String {
    /// An origin as browsers send it.
    static var origin: ValueParser {
        ValueParser("ORIGIN") { text in
            if text == "*" { return text }
            let rest = ["https://", "http://"].lazy.filter(text.hasPrefix).map { text.dropFirst($0.count) }.first
            guard let rest, !rest.isEmpty, rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !rest.contains("/") else {
                throw ValueError("is not an origin such as https://films.example, without a path, or *")
            }
            return text.lowercased()
        }
    }
}
