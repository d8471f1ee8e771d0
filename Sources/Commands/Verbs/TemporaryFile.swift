internal import FoundationEssentials
internal import Glibc

/// A file that is only a step on the way.
enum TemporaryFile {
    /// Lets `write` make a file in a new directory of this user's alone, and gives what it then holds. Nothing of it stays.
    ///
    /// - Parameters:
    ///   - directory: where temporary files go, such as `/tmp`.
    ///   - name: the file's, for writers that go by its end.
    static func contents(in directory: String, named name: String, _ write: (String) async throws -> Void) async throws -> [UInt8] {
        var template = Array("\(directory)/posterity-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            throw UsageError(
                "\(directory) cannot be written: \(String(cString: strerror(errno)).lowercased()); set TMPDIR to another place")
        }
        let own = String(cString: made)
        defer { try? FileManager.default.removeItem(atPath: own) }
        let path = "\(own)/\(name)"
        try await write(path)
        return Array(try Data(contentsOf: URL(filePath: path)))
    }
}
