import FoundationEssentials
import Glibc
import TestSupport

/// Runs a command line by the shell, and gives back what it printed.
///
/// - Throws: when it fails, with what it printed to both outputs.
@discardableResult
func shell(_ command: String) throws -> String {
    guard let pipe = popen("exec 2>&1; " + command, "r") else { throw TestSupportError("cannot start: \(command)") }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 { output += buffer[..<count] }
    let status = pclose(pipe)
    let text = String(decoding: output, as: UTF8.self)
    guard status == 0 else { throw TestSupportError("\(command): status \(status): \(text)") }
    return text
}

func readFile(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: path)))
}

func writeFile(_ bytes: [UInt8], _ path: String) throws {
    try Data(bytes).write(to: URL(filePath: path))
}
