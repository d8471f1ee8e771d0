import Core
import FoundationEssentials
import StandIn
import TestSupport

/// What all cases share: the program, the painted posters, and how much of the long ones is wanted.
struct Bench: Sendable {
    /// Absolute path of the built `posterity`.
    let program: String
    /// Painted posters for all stand-ins: painting costs more than anything else here.
    let posters: String
    /// How often the program is killed.
    let kills: Int

    /// Runs `body` with a stand-in of its own and an empty home.
    ///
    /// - Parameter titles: so many movies in every list, each with a poster; nil for the sample catalogue.
    func withScene<Value>(
        titles: Int? = Scene.titles, _ options: StandInOptions = StandInOptions(), _ body: (Scene) async throws -> Value
    ) async throws -> Value {
        var options = options
        options.titles = titles
        options.store = posters
        options.imagesPort = 0
        options.paintThreads = 1
        return try await withTemporaryDirectory { home in
            try await StandIn.withStandIn(options) { standIn in
                try await body(Scene(bench: self, standIn: standIn, home: home))
            }
        }
    }
}

/// A stand-in, a home with a cache, and the program that runs between them.
struct Scene: Sendable {
    /// Enough to tell one picture's fate from the others'.
    static let titles = 3

    let bench: Bench
    let standIn: StandIn
    let home: String

    var cache: String { home + "/cache" }

    var environment: [String: String] {
        [
            "HOME": home, "PATH": "/usr/local/bin:/usr/bin:/bin", "POSTERITY_CACHE": cache, "POSTERITY_API": standIn.apiURL,
            "POSTERITY_IMAGES": standIn.imagesURL, "AMODB_KEY": "posterity-demo",
        ]
    }

    /// The first title's poster path.
    var posterPath: String {
        get throws {
            guard let path = standIn.titles(in: "trending/movie/week")?.first?.posterPath else { throw TestSupportError("no poster") }
            return path
        }
    }

    /// Runs `posterity` to its end.
    ///
    /// - Parameter changes: to the environment.
    func posterity(_ arguments: String..., changes: [String: String] = [:]) async throws -> ProgramRun.Ending {
        try await run(arguments, changes: changes)
    }

    /// Runs `posterity mirror --json`.
    func mirror(_ arguments: String..., changes: [String: String] = [:]) async throws -> MirrorEnding {
        MirrorEnding(try await run(["mirror", "--json"] + arguments, changes: changes))
    }

    /// The same by a shell that sets limits or takes rights away first, such as `ulimit -f 100; exec "$@"`.
    func mirror(by script: String, _ arguments: String...) async throws -> MirrorEnding {
        let words = ["-c", script, "bash", bench.program, "mirror", "--json"] + arguments
        return MirrorEnding(try await ProgramRun.run("/bin/bash", words, environment: environment, in: home))
    }

    /// Runs `body` beside `posterity mirror --json`.
    func withMirror<Value>(_ arguments: [String] = [], _ body: (RunningTool) async throws -> Value) async throws -> Value {
        try await ProgramRun.with(bench.program, ["mirror", "--json"] + arguments, environment: environment, in: home, body)
    }

    func run(_ arguments: [String], changes: [String: String] = [:]) async throws -> ProgramRun.Ending {
        try await ProgramRun.run(bench.program, arguments, environment: environment.merging(changes) { _, new in new }, in: home)
    }

    /// The objects that a run makes which nothing disturbs, in a cache of its own. The stand-in has then forgotten it, and its faults.
    func undisturbed(_ arguments: String...) async throws -> Set<String> {
        let root = home + "/undisturbed"
        defer { try? FileManager.default.removeItem(atPath: root) }
        let ending = try await run(["mirror", "--json", "--cache", root] + arguments)
        guard ending.status == 0 else { throw TestSupportError("the undisturbed run failed: \(ending.errors)") }
        standIn.reset()
        return CacheAudit.objects(in: root)
    }

    /// Waits until `condition` holds, or for a minute.
    func wait(until condition: () -> Bool) async throws {
        let start = ContinuousClock.now
        while !condition(), ContinuousClock.now - start < .seconds(60) { try await Task.sleep(for: .milliseconds(2)) }
    }

    /// Adds to `finding` what is wrong with the cache.
    func audit(_ finding: inout Finding) async throws {
        finding.problems += try await CacheAudit.problems(of: cache)
    }

    /// Lifts all faults, runs again, and expects exactly what an undisturbed run makes.
    func expectRecovery(_ finding: inout Finding, to expected: Set<String>) async throws {
        standIn.removeFaults()
        let again = try await mirror("--retry-missing")
        finding.expect(again.ending, status: 0)
        let objects = CacheAudit.objects(in: cache)
        let (lacking, odd) = (expected.subtracting(objects).count, objects.subtracting(expected).count)
        finding.expect(objects == expected, "afterwards \(lacking) objects were missing and \(odd) were not of an undisturbed run")
        finding.expect(CacheAudit.leftovers(in: cache).isEmpty, "tmp is not empty afterwards")
        try await audit(&finding)
        let verified = try await posterity("verify")
        finding.expect(verified.status == 0, "`posterity verify` ends with \(verified.status): \(verified.output) \(verified.errors)")
    }
}

/// How `posterity mirror --json` ended.
struct MirrorEnding: Sendable {
    struct Summary: Decodable, Sendable {
        let pictures: Int
        let fetched: Int
        let kept: Int
        let failed: Int
        let reasons: [String: Int]
        let requests: Int
    }

    let ending: ProgramRun.Ending
    /// Nil when it printed none: it did not come so far.
    let summary: Summary?

    init(_ ending: ProgramRun.Ending) {
        struct Report: Decodable {
            let summary: Summary
        }
        self.ending = ending
        summary = (try? JSONText.decode(Report.self, from: Array(ending.output.utf8)))?.summary
    }

    var status: Int32 { ending.status }
    var reasons: [String] { summary?.reasons.keys.sorted() ?? [] }

    /// Its last words, without its name and the level before them.
    var lastWords: String {
        let line = ending.errors.split(separator: "\n").last.map(String.init) ?? ""
        return String(line.trimmingPrefix("posterity: ").trimmingPrefix("error: "))
    }
}
