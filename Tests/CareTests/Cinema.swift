import Core
import FoundationEssentials
import Glibc
import Mirroring
import StandIn
import Storage
import TestSupport

@testable import Commands

/// A stand-in with a few small posters, a cache, and this program run in the tests' own process.
struct Cinema: Sendable {
    /// How a command line ended.
    struct Outcome: Sendable {
        let status: Int32
        let output: String
        let errors: String

        func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try JSONText.decode(type, from: Array(output.utf8))
        }
    }

    let standIn: StandIn
    /// The cache directory.
    let root: String
    /// A directory of this cinema's own.
    let home: String

    /// - Parameter titles: so many movies in every list, each with a poster; nil for the sample catalogue.
    static func with(
        titles: Int? = 3, cacheControl: String? = "max-age=86400", validators: Bool = true, _ body: (Cinema) async throws -> Void
    ) async throws {
        var options = StandInOptions()
        options.titles = titles
        options.cacheControl = cacheControl
        options.sendsValidators = validators
        options.imagesPort = 0
        try await withTemporaryDirectory { home in
            try await StandIn.withStandIn(options) { standIn in
                try await body(Cinema(standIn: standIn, root: home + "/cache", home: home))
            }
        }
    }

    /// Runs `posterity` with `arguments`; its sizes are small ones, so that little is painted.
    ///
    /// - Parameter errors: a file that standard error goes to, for a look at it while the program runs.
    func posterity(_ arguments: String..., errors errorFile: String? = nil) async throws -> Outcome {
        try await posterity(arguments, errors: errorFile)
    }

    func posterity(_ arguments: [String], errors errorFile: String? = nil) async throws -> Outcome {
        let number = UInt64.random(in: 0 ... .max)
        let (outputFile, errorFile) = ("\(home)/output-\(number)", errorFile ?? "\(home)/errors-\(number)")
        let output = open(outputFile, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        let errors = open(errorFile, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer {
            close(output)
            close(errors)
        }
        let environment = Environment([
            "HOME": home, "POSTERITY_CACHE": root, "POSTERITY_API": standIn.apiURL, "POSTERITY_IMAGES": standIn.imagesURL,
            "POSTERITY_SIZES": "w92,w40", "AMODB_KEY": "posterity-demo",
        ])
        let status = await Program.posterity.run(arguments, environment, output: output, errors: errors)
        return Outcome(status: status, output: Self.text(outputFile), errors: Self.text(errorFile))
    }

    static func text(_ file: String) -> String { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }

    /// Image requests since the last `standIn.reset()`.
    var imageRequests: Int { standIn.requests.count { $0.area == "images" } }
    var apiRequests: Int { standIn.requests.count { $0.area == "api" } }

    func manifest(_ run: String? = nil) async throws -> Manifest {
        try await cache(.readOnly) { try await RunLibrary($0).run(run) }
    }

    /// Runs `body` with the cache open, at this time or later.
    func cache<Value>(
        _ access: Cache.Access = .readWrite, later seconds: TimeInterval = 0, _ body: (Cache) async throws -> Value
    ) async throws -> Value {
        let clock = WallClock { Date() + seconds }
        return try await Cache.withCache(at: root, access: access, clock: clock, log: .silent, body)
    }

    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: "\(root)/\(path)") }

    /// Turns one byte of an object over, which keeps its size.
    func damage(_ path: String) throws {
        let file = "\(root)/\(path)"
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
        bytes[bytes.count / 2] ^= 1
        unlink(file)
        try Data(bytes).write(to: URL(filePath: file))
    }

    /// Waits until `condition` holds.
    func wait(until condition: () -> Bool) async throws {
        let start = ContinuousClock.now
        while !condition() {
            guard ContinuousClock.now - start < .seconds(60) else { throw TestSupportError("what was waited for did not come") }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}

/// The numbers of `posterity mirror --json`.
struct RunNumbers: Decodable {
    struct Summary: Decodable {
        let fetched: Int
        let unchanged: Int
        let fresh: Int
        let kept: Int
        let failed: Int
        let rendered: Int
        let reasons: [String: Int]
    }

    let run: String
    let summary: Summary
}
