internal import FoundationEssentials
internal import Glibc

/// Runs `body` with a new, empty directory, and removes it with all that is in it afterwards.
package func withTemporaryDirectory<Value>(_ body: (String) async throws -> Value) async throws -> Value {
    var template = Array("/tmp/posterity-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw TestSupportError("cannot make a temporary directory: errno \(errno)") }
    let path = String(cString: made)
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await body(path)
}

/// A failure of the test's own machinery.
package struct TestSupportError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
