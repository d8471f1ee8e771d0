internal import Core
internal import StandIn

extension FlagGroup {
    static let catalogue = FlagGroup("Catalogue")
    static let server = FlagGroup("Server")
}

extension Flags {
    static let host = Flag("host", .text("ADDRESS"), default: "127.0.0.1", "Address to listen on", in: .server, environment: false)
    static let port = Flag(
        "port", .integer(0...65_535), default: 0, "Port to listen on; 0 takes any that is free", in: .server, environment: false)
    static let acceptedKeys = Flag<[String]>.repeated(
        "key", .text("KEY"), default: ["posterity-demo"], "API key that is let in; may be given several times", in: .server,
        environment: false)
    static let requestsPerMinute = Flag<Int?>.optional(
        "requests-per-minute", .integer(1...100_000), defaultText: "no limit", "Requests a key may make in any 60 seconds", in: .server)
    static let fault = Flag<[String]>.repeated(
        "fault", .text("RULE"),
        "What is to go wrong, such as 'images every=10 status=503' (see docs/standin.md); may be given several times",
        in: .server, environment: false)
    static let titles = Flag<Int?>.optional(
        "titles", .integer(1...100_000), defaultText: "the sample catalogue of 420", "So many movies, all of them with posters",
        in: .catalogue,
        environment: false)
    static let week = Flag(
        "week", .integer(0...10_000), default: 0, "Which week the trending lists show: from one to the next titles rise, fall, come and go",
        in: .catalogue, environment: false)
    static let prepaint = Flag.switch("prepaint", "Paint every poster before taking requests", in: .catalogue, environment: false)
    static let store = Flag<String?>.optional(
        "store", .directory, "Keep painted posters in a directory for the next start", in: .catalogue, environment: false)
}

extension Verb {
    private static let command = Positional<[String]>.any(
        "COMMAND", .text("COMMAND"), "Command to run with the stand-in's addresses and key in its environment; the stand-in ends with it")

    /// `posterity standin [-- COMMAND…]`.
    static let standIn = Verb(
        "standin", "Run a local stand-in for the API and the image host",
        discussion: """
            Serves a catalogue of invented films and series, their painted posters, and faults on demand, on this machine alone: for a first
            look without an API key, for tests, and for benchmarks. It runs until it is stopped, or until COMMAND ends.
            """,
        positionals: [command],
        flags: [
            Flags.host, Flags.port, Flags.acceptedKeys, Flags.requestsPerMinute, Flags.fault, Flags.titles, Flags.week, Flags.prepaint,
            Flags.store, Flags.json,
        ],
        examples: [
            Example("posterity standin -- posterity mirror", "Try the main job without a key:"),
            Example("posterity standin --port 8080 --fault 'images every=10 status=503'", "Every tenth picture is answered with 503:"),
        ]
    ) { arguments, context in
        var options = StandInOptions()
        options.host = arguments[Flags.host]
        options.port = arguments[Flags.port]
        options.keys = arguments[Flags.acceptedKeys]
        options.requestsPerMinute = arguments[Flags.requestsPerMinute]
        options.titles = arguments[Flags.titles]
        options.week = arguments[Flags.week]
        options.prepaints = arguments[Flags.prepaint]
        options.store = arguments[Flags.store]
        do {
            options.faults = try FaultRule.rules(in: arguments[Flags.fault].joined(separator: "\n"))
        } catch {
            throw UsageError("--fault: \(error)")
        }
        let words = arguments[command]
        guard words.isEmpty else { return try await run(words, beside: options, context) }
        try await StandIn.run(options) { standIn in
            try context.output.write(announcement(of: standIn, key: options.keys[0], json: arguments[Flags.json]))
        }
        return .done
    }

    private static func run(_ command: [String], beside options: StandInOptions, _ context: Context) async throws -> ExitCode {
        try await StandIn.withStandIn(options) { standIn in
            var variables = context.environment.variables
            variables["POSTERITY_API"] = standIn.apiURL
            variables["POSTERITY_IMAGES"] = standIn.imagesURL
            variables["AMODB_KEY"] = options.keys[0]
            context.log.debug("stand-in: API \(standIn.apiURL), images \(standIn.imagesURL)")
            return ExitCode(rawValue: try await ChildProcess.run(command, environment: variables))
        }
    }

    private static func announcement(of standIn: StandIn, key: String, json: Bool) throws -> [UInt8] {
        let addresses = ["api": standIn.apiURL, "images": standIn.imagesURL, "control": standIn.controlURL, "key": key]
        if json { return try JSONText.encode(addresses, pretty: false) }
        let text = """
            API      \(standIn.apiURL)
            Images   \(standIn.imagesURL)
            Control  \(standIn.controlURL)
            Key      \(key)

            In another terminal:
              export POSTERITY_API=\(standIn.apiURL) POSTERITY_IMAGES=\(standIn.imagesURL) AMODB_KEY=\(key)
              posterity mirror

            """
        return Array(text.utf8)
    }
}
