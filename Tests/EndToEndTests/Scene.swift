import Core
import FoundationEssentials
import Glibc
import Mirroring
import StandIn
import TestSupport
import Testing

/// All tests of the built program, one at a time: each run uses every core that there is.
@Suite("The built program", .serialized)
enum EndToEnd {}

/// A stand-in, and an empty home for the program that asks it.
struct Scene {
    let standIn: StandIn
    /// A directory of this scene's own.
    let home: String

    static let key = "posterity-demo"

    /// - Parameter titles: so many movies in every list, each with a poster; nil for the sample catalogue.
    static func with<Value>(titles: Int? = nil, _ options: StandInOptions = StandInOptions(), _ body: (Scene) async throws -> Value)
        async throws -> Value
    {
        var options = options
        options.titles = titles
        options.store = SharedPosters.directory
        options.imagesPort = 0
        return try await withTemporaryDirectory { home in
            try await StandIn.withStandIn(options) { standIn in try await body(Scene(standIn: standIn, home: home)) }
        }
    }

    var cache: String { home + "/cache/posterity" }

    var environment: [String: String] {
        [
            "HOME": home, "XDG_CACHE_HOME": home + "/cache", "PATH": ProgramUnderTest.buildDirectory + ":/usr/local/bin:/usr/bin:/bin",
            "POSTERITY_API": standIn.apiURL, "POSTERITY_IMAGES": standIn.imagesURL, "AMODB_KEY": Self.key,
        ]
    }

    /// Runs `posterity` with `arguments` to its end.
    ///
    /// - Parameter changes: to the environment; an empty value takes a variable away.
    func posterity(_ arguments: String..., changes: [String: String] = [:]) async throws -> ProgramUnderTest.Ending {
        try await ProgramUnderTest.run(arguments, environment: environment(with: changes), in: home)
    }

    /// Runs `body` beside `posterity`.
    func beside<Value>(_ arguments: String..., body: (RunningTool) async throws -> Value) async throws -> Value {
        try await Tool.withProcess(ProgramUnderTest.path, arguments, environment: environment, directory: home, body)
    }

    /// Runs `posterity` under limits of the shell's, such as `ulimit -f 100`.
    func posterity(under limit: String, _ arguments: String...) async throws -> ProgramUnderTest.Ending {
        let words = ["-c", "\(limit); exec \"$0\" \"$@\"", ProgramUnderTest.path] + arguments
        return try await ProgramUnderTest.run(words, program: "/bin/bash", environment: environment, in: home)
    }

    /// The manifest that `posterity manifest` prints.
    func manifest(cache: String? = nil) async throws -> Manifest {
        let ending = try await posterity("manifest", "--cache", cache ?? self.cache)
        try #require(ending.status == 0, "\(ending.errors)")
        return try JSONText.decode(Manifest.self, from: Array(ending.output.utf8))
    }

    /// Image requests since the last `standIn.reset()`, by status.
    var imageCounts: [Int: Int] {
        var counts: [Int: Int] = [:]
        for request in standIn.requests where request.area == "images" { counts[request.status, default: 0] += 1 }
        return counts
    }

    func count(of area: String) -> Int { standIn.counts[area] ?? 0 }

    /// Waits until `condition` holds.
    func wait(until condition: () -> Bool) async throws {
        let start = ContinuousClock.now
        while !condition() {
            guard ContinuousClock.now - start < .seconds(60) else { throw TestSupportError("what was waited for did not come") }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    private func environment(with changes: [String: String]) -> [String: String] {
        environment.merging(changes) { _, new in new }.filter { !$0.value.isEmpty }
    }
}

/// Painted posters for all stand-ins of this process: painting costs more than anything that the tests look at.
private enum SharedPosters {
    static let directory: String = {
        var template = Array("/tmp/posterity-posters-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { fatalError("cannot make a temporary directory: errno \(errno)") }
        atexit { try? FileManager.default.removeItem(atPath: SharedPosters.directory) }
        return String(cString: made)
    }()
}
