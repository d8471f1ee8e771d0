import FoundationEssentials
import TestSupport
import Testing

/// `docs/manifest.schema.json`, and Debian's python3-jsonschema to hold manifests against it.
enum ManifestSchema {
    /// Checks every manifest in the scene's cache.
    static func expectValid(_ scene: Scene, _ location: SourceLocation = #_sourceLocation) async throws {
        let runs = CacheInspection(root: scene.cache).files.filter { $0.hasPrefix("runs/") }
        #expect(!runs.isEmpty, sourceLocation: location)
        for run in runs {
            #expect(try await complaints(about: "\(scene.cache)/\(run)") == "", "\(run)", sourceLocation: location)
        }
    }

    /// What the validator says; empty when the file is as it should be.
    static func complaints(about file: String) async throws -> String {
        let schema = ProgramUnderTest.packageDirectory + "/docs/manifest.schema.json"
        let script = "/usr/bin/python3 -W ignore -m jsonschema -i \"$0\" \"$1\" 2>&1 || true"
        return String(decoding: try await Tool.run("/bin/sh", ["-c", script, file, schema]), as: UTF8.self)
    }
}
