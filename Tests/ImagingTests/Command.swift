import FoundationEssentials
import TestSupport

/// Runs a command line by the shell, and gives back what it printed.
///
/// - Throws: when it fails, with what it printed to both outputs.
@discardableResult
func shell(_ command: String) async throws -> String {
    String(decoding: try await Tool.run("sh", ["-c", "{ \(command)\n} 2>&1"]), as: UTF8.self)
}

func readFile(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path)))
}

func writeFile(_ bytes: [UInt8], _ path: String) throws {
    try Data(bytes).write(to: URL(filePath: path))
}
