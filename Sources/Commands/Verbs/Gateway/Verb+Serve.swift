internal import Core
internal import Gateway
internal import Imaging
internal import Mirroring
internal import Serving
internal import Storage

extension Verb {
    /// `posterity serve`.
    static let serve = Verb(
        "serve", "Serve an app the API's answers and the mirror's pictures, without giving it the key",
        discussion: """
            Answers in the movie API's place: point an app's base address here, and nothing else in it changes. The key stays on this machine;
            one answer is kept for all users, and given while the API is down. Below /t/p/ are the mirror's pictures, fetched when they are
            first asked for; docs/gateway.md tells the rest.

            Everybody on this machine is let in. To be reached from elsewhere it needs tokens (`posterity token`), or --public. It runs until
            it is stopped, and then finishes the answers under way.
            """,
        flags: [
            Flags.listen, Flags.admin, Flags.workers, Flags.accessLog, Flags.accessLogFile, Flags.tokensFile, Flags.isPublic,
            Flags.clientLimit, Flags.tokenLimit,
            Flags.behindProxy, Flags.cors, Flags.allow, Flags.servedSizes, Flags.namedRecipe, Flags.servedSite, Flags.staleFor, Flags.cache,
            Flags.renderThreads, Flags.json,
        ] + Network.flags,
        examples: [
            Example("posterity serve", "For what runs on this machine, at http://127.0.0.1:8080:"),
            Example(
                "posterity serve --listen '[::]:8080' --tokens-file tokens.json --admin 127.0.0.1:9090",
                "For clients that have a token, with metrics for the owner:"),
            Example("posterity serve --recipe thumb=cover,radius=10%,webp", "Thumbnails at /r/thumb/w185/FILE:"),
        ],
        grace: .seconds(15), isLogQueued: true
    ) { arguments, context in
        let options = try gatewayOptions(arguments)
        try await Network.withNetwork(arguments, context, retryBudget: .max) { network in
            try await Cache.withCache(
                at: arguments[Flags.cache], access: .readWriteBearingRemoval, clock: .system, log: context.log
            ) { cache in
                try await Renderer.withRenderer(threads: arguments[Flags.renderThreads]) { renderer in
                    let services = GatewayServices(
                        api: network.api, images: network.images, key: network.key, keySource: network.keySource,
                        pace: network.pace(in: cache),
                        mirror: MirrorServices(
                            client: network.client, governor: network.governor, renderer: renderer, cache: cache, clock: .system,
                            log: context.log))
                    if network.key == nil {
                        context.log.warning(
                            "there is no API key: only what is kept is served; set AMODB_KEY, or name a file with --key-file")
                    }
                    try await Gateway.serve(options, services) { addresses, admin in
                        try context.output.write(announcement(of: addresses, admin, json: arguments[Flags.json]))
                    }
                }
            }
        }
        return .done
    }

    private static func gatewayOptions(_ arguments: Arguments) throws -> GatewayOptions {
        var options = GatewayOptions()
        options.listen = arguments[Flags.listen].withoutDuplicates
        options.admin = arguments[Flags.admin]
        options.tokensFile = arguments[Flags.tokensFile]
        options.requestsPerClient = arguments[Flags.clientLimit] == 0 ? nil : arguments[Flags.clientLimit]
        options.requestsPerToken = arguments[Flags.tokenLimit] == 0 ? nil : arguments[Flags.tokenLimit]
        options.isBehindProxy = arguments[Flags.behindProxy]
        options.patterns = arguments[Flags.allow]
        options.sizes = arguments[Flags.servedSizes]
        options.origins = arguments[Flags.cors]
        options.site = arguments[Flags.servedSite]
        options.accessLog = arguments[Flags.accessLog]
        options.accessLogFile = arguments[Flags.accessLogFile]
        options.workers = arguments[Flags.workers]
        options.longestStaleness = arguments[Flags.staleFor]
        for named in arguments[Flags.namedRecipe] {
            guard options.recipes.updateValue(named.recipe, forKey: named.name) == nil else {
                throw UsageError("--recipe: there are two called \(named.name)")
            }
        }
        let exposed = options.listen.first { !$0.isLoopback }
        if let exposed, options.tokensFile == nil, !arguments[Flags.isPublic] {
            throw UsageError(
                "--listen: \(exposed) can be reached from elsewhere, and everybody would be let in; give --tokens-file FILE, or --public to insist"
            )
        }
        if let admin = options.admin, !admin.isLoopback, !arguments[Flags.isPublic] {
            throw UsageError(
                "--admin: \(admin) can be reached from elsewhere, and asks for no token; choose 127.0.0.1, or --public to insist")
        }
        if let admin = options.admin, admin.port != 0, options.listen.contains(admin) {
            throw UsageError(
                "--admin: \(admin) is the same address as --listen has; the owner's must be one of its own, such as another port")
        }
        return options
    }

    private static func announcement(of addresses: [ListenAddress], _ admin: ListenAddress?, json: Bool) throws -> [UInt8] {
        if json {
            struct Machine: Encodable {
                let listen: [String]
                let admin: String?
            }
            return try JSONText.encode(Machine(listen: addresses.map(\.url), admin: admin?.url), pretty: false)
        }
        let lines = addresses.map { "Listening on \($0.url)\n" } + (admin.map { ["Metrics on \($0.url)/metrics\n"] } ?? [])
        return Array(lines.joined().utf8)
    }
}
