import FoundationEssentials
import Glibc
import TestSupport

/// A headless Chromium, spoken to over its DevTools pipe. Blocks its thread, which must be one of its own.
final class Chromium {
    /// Debian's browser; nil where it is not installed.
    static let path = ["chromium", "chromium-browser", "google-chrome"].lazy.compactMap { Tool.find($0) }.first

    private let descriptor: Int32
    private var received: [UInt8] = []
    private var lastID = 0
    /// Every event so far: method and parameters.
    private(set) var events: [(method: String, parameters: DevToolsValue)] = []
    private var session: String?

    /// Runs `body`, which may block, on a thread of its own with a new browser, which is gone afterwards.
    ///
    /// - Parameter home: a folder of the test's own, for what browsers keep.
    static func withBrowser<Value: Sendable>(home: String, _ body: @escaping @Sendable (Chromium) throws -> Value) async throws -> Value {
        guard let path else { throw TestSupportError("no Chromium") }
        // One for both directions; no program that is started meanwhile inherits it.
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw TestSupportError("no sockets: errno \(errno)")
        }
        // The browser reads from descriptor 3 and writes to 4, so its end must have neither number while it is handed over.
        let theirs = fcntl(ends[1], F_DUPFD_CLOEXEC, 10)
        let ours = ends[0]
        close(ends[1])
        defer { close(ours) }
        let arguments = [
            "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--hide-scrollbars", "--no-first-run", "--no-default-browser-check", "--disable-background-networking",
            "--disable-component-update", "--disable-sync", "--disable-extensions", "--user-data-dir=\(home)/profile",
            "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1", "about:blank",
        ]
        let environment = ["HOME": home, "PATH": "/usr/bin:/bin", "TMPDIR": home, "LANG": "C.UTF-8"]
        return try await Tool.withProcess(path, arguments, environment: environment, descriptors: [3: theirs, 4: theirs]) { _ in
            close(theirs)
            return try await onDedicatedThread { try body(Chromium(descriptor: ours)) }
        }
    }

    private init(descriptor: Int32) throws {
        self.descriptor = descriptor
        let targets = try send("Target.createTarget", ["url": "about:blank"])
        guard let target = targets["targetId"]?.text else { throw TestSupportError("Chromium opened no page") }
        let attached = try send("Target.attachToTarget", ["targetId": .text(target), "flatten": true])
        session = attached["sessionId"]?.text
        for domain in ["Page", "Network", "Runtime", "Log"] { try send("\(domain).enable") }
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
            let count = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress! + offset, $0.count - offset, Int32(MSG_NOSIGNAL)) }
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
            var readiness = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&readiness, 1, 300_000) > 0 else { throw TestSupportError("Chromium says nothing") }
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { throw TestSupportError("Chromium is gone") }
            received += buffer.prefix(count)
        }
    }
}
