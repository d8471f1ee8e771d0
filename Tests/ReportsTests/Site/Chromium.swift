import FoundationEssentials
import Glibc
import TestSupport

/// A headless Chromium, spoken to over its DevTools pipe. Blocks its thread; to be used from a worker thread.
final class Chromium {
    /// Debian's browser; nil where it is not installed.
    static let path = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
        .first { (path: String) in access(path, X_OK) == 0 }

    private let process: pid_t
    private let toBrowser: Int32
    private let fromBrowser: Int32
    private var received: [UInt8] = []
    private var lastID = 0
    /// Every event so far: method and parameters.
    private(set) var events: [(method: String, parameters: DevToolsValue)] = []
    private var session: String?

    /// - Parameter home: a folder of the test's own, for what browsers keep.
    init(home: String) throws {
        guard let path = Self.path else { throw TestSupportError("no Chromium") }
        var down: [Int32] = [0, 0]
        var up: [Int32] = [0, 0]
        guard pipe(&down) == 0, pipe(&up) == 0 else { throw TestSupportError("no pipes: errno \(errno)") }
        // The browser reads from descriptor 3 and writes to 4, so none of ours may have those numbers while they are handed over.
        let ends = [down[0], down[1], up[0], up[1]].map { descriptor -> Int32 in
            defer { close(descriptor) }
            return fcntl(descriptor, F_DUPFD_CLOEXEC, 10)
        }
        toBrowser = ends[1]
        fromBrowser = ends[2]
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], 3)
        posix_spawn_file_actions_adddup2(&actions, ends[3], 4)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        let arguments = [
            path, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--hide-scrollbars", "--no-first-run", "--no-default-browser-check", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--disable-extensions", "--user-data-dir=\(home)/profile",
            "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "about:blank",
        ]
        let environment = ["HOME=\(home)", "PATH=/usr/bin:/bin", "TMPDIR=\(home)", "LANG=C.UTF-8"]
        var child = pid_t()
        let failure = withCStrings(arguments) { argv in
            withCStrings(environment) { envp in posix_spawn(&child, path, &actions, nil, argv, envp) }
        }
        close(ends[0])
        close(ends[3])
        process = child
        guard failure == 0 else { throw TestSupportError("Chromium does not start: \(failure)") }
        let targets = try send("Target.createTarget", ["url": "about:blank"])
        guard let target = targets["targetId"]?.text else { throw TestSupportError("Chromium opened no page") }
        let attached = try send("Target.attachToTarget", ["targetId": .text(target), "flatten": true])
        session = attached["sessionId"]?.text
        for domain in ["Page", "Network", "Runtime", "Log"] { try send("\(domain).enable") }
    }

    deinit {
        kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        close(toBrowser)
        close(fromBrowser)
    }

    /// Calls a method and gives its result.
    @discardableResult
    func send(_ method: String, _ parameters: [String: DevToolsValue] = [:]) throws -> DevToolsValue {
        lastID += 1
        var message: [String: DevToolsValue] = ["id": .number(Double(lastID)), "method": .text(method), "params": .object(parameters)]
        if let session { message["sessionId"] = .text(session) }
        let bytes = Array(try JSONEncoder().encode(DevToolsValue.object(message))) + [0]
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { write(toBrowser, $0.baseAddress! + offset, $0.count - offset) }
            guard count > 0 else { throw TestSupportError("Chromium is gone") }
            offset += count
        }
        while true {
            let answer = try receive()
            guard answer["id"]?.number == Double(lastID) else { continue }
            if let error = answer["error"] { throw TestSupportError("\(method): \(error["message"]?.text ?? "failed")") }
            return answer["result"] ?? .object([:])
        }
    }

    func wait(for method: String) throws {
        while !events.contains(where: { $0.method == method }) { _ = try receive() }
    }

    /// Runs a script in the page, waits for its promise, and gives its value.
    func evaluate(_ script: String) throws -> DevToolsValue {
        let result = try send("Runtime.evaluate", ["expression": .text(script), "awaitPromise": true, "returnByValue": true])
        if let problem = result["exceptionDetails"] { throw TestSupportError("the script failed: \(problem)") }
        return result["result"]?["value"] ?? .null
    }

    // MARK: - Private

    /// The next message; events are kept as well.
    private func receive() throws -> DevToolsValue {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let end = received.firstIndex(of: 0) {
                let message = try JSONDecoder().decode(DevToolsValue.self, from: Data(received[..<end]))
                received.removeSubrange(...end)
                if let method = message["method"]?.text { events.append((method, message["params"] ?? .null)) }
                return message
            }
            var readiness = pollfd(fd: fromBrowser, events: Int16(POLLIN), revents: 0)
            guard poll(&readiness, 1, 60_000) > 0 else { throw TestSupportError("Chromium says nothing for a minute") }
            let count = read(fromBrowser, &buffer, buffer.count)
            guard count > 0 else { throw TestSupportError("Chromium is gone") }
            received += buffer.prefix(count)
        }
    }
}

/// Calls `body` with a null-terminated array of C strings.
private func withCStrings<Value>(_ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value) -> Value {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
}
