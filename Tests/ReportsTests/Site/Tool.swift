import Core
import FoundationEssentials
import Glibc
import TestSupport

/// A program that a test asks for its opinion.
struct Tool: Sendable {
    static let tidy = Tool(path: "/usr/bin/tidy")
    /// Debian's libxml2-utils.
    static let xmllint = Tool(path: "/usr/bin/xmllint")

    let path: String

    var isInstalled: Bool { access(path, X_OK) == 0 }

    /// Everything that the program printed, and its exit status.
    func run(_ arguments: [String]) async throws -> (output: String, status: Int32) {
        try await WorkerThreads.withThreads(1, named: "tool") { threads in
            try await threads.run { () throws -> (output: String, status: Int32) in try start(arguments) }
        }
    }

    private func start(_ arguments: [String]) throws -> (output: String, status: Int32) {
        try withOutputFile { file in
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_addopen(&actions, 1, file, O_WRONLY | O_APPEND, 0)
            posix_spawn_file_actions_addopen(&actions, 2, file, O_WRONLY | O_APPEND, 0)
            let copies = ([path] + arguments).map { strdup($0) }
            defer { for copy in copies { free(copy) } }
            var child = pid_t()
            guard posix_spawn(&child, path, &actions, nil, copies + [nil], [nil]) == 0 else {
                throw TestSupportError("\(path) does not start")
            }
            var status: Int32 = 0
            waitpid(child, &status, 0)
            return (String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self), status >> 8 & 0xFF)
        }
    }

    private func withOutputFile<Value>(_ body: (String) throws -> Value) throws -> Value {
        var template = Array("/tmp/posterity-test-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw TestSupportError("cannot make a temporary file") }
        close(descriptor)
        let path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        defer { unlink(path) }
        return try body(path)
    }
}
