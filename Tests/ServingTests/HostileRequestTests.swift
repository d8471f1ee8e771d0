import Core
import Serving
import Testing

@Suite("Requests that mean harm")
struct HostileRequestTests {
    /// What follows each of them: whoever reads the first request's end wrongly answers this.
    static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"

    static let refused: [(name: String, text: String, status: Int)] = [
        ("length and coding", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        ("coding and length", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n", 400),
        ("chunks", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411),
        ("an unknown coding", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 411),
        ("chunks on GET", "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 411),
        ("two lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 36\r\n\r\n", 400),
        ("twice the same length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n", 400),
        ("a list of lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0, 0\r\n\r\n", 400),
        ("a signed length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +0\r\n\r\n", 400),
        ("a negative length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400),
        ("a hexadecimal length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x0\r\n\r\n", 400),
        ("an empty length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n", 400),
        ("a length beyond all numbers", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\n", 413),
        ("a bare LF after the request line", "GET / HTTP/1.1\nHost: a\r\n\r\n", 400),
        ("a bare LF after a header", "GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n", 400),
        ("bare LFs at the end", "GET / HTTP/1.1\r\nHost: a\n\n", 400),
        ("a bare LF as the empty line", "GET / HTTP/1.1\r\nHost: a\r\n\n", 400),
        ("a bare CR", "GET / HTTP/1.1\r\nHost: a\r\nX: a\rContent-Length: 5\r\n\r\n", 400),
        ("a space before the colon", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length : 36\r\n\r\n", 400),
        ("a tab before the colon", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding\t: chunked\r\n\r\n", 400),
        ("a folded line", "GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n", 400),
        ("a folded line that hides a length", "POST / HTTP/1.1\r\nHost: a\r\nX: a\r\n\tContent-Length: 5\r\n\r\n", 400),
        ("a folded first line", "GET / HTTP/1.1\r\n Host: a\r\nHost: a\r\n\r\n", 400),
        ("a zero byte in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n", 400),
        ("a zero byte in a name", "GET / HTTP/1.1\r\nHost: a\r\nX\0Y: b\r\n\r\n", 400),
        ("a zero byte that begins a line", "GET / HTTP/1.1\r\nHost: a\r\n\0X: b\r\n\r\n", 400),
        ("a zero byte in the target", "GET /a\0b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("an encoded zero byte in the target", "GET /a%00b HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("a zero byte in the method", "GE\0T / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("a control character in a value", "GET / HTTP/1.1\r\nHost: a\r\nX: \u{1B}[2J\r\n\r\n", 400),
        ("a control character in the target", "GET /\u{7F} HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("an escape in the target", "GET /\u{1B}[2J HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("a header without a name", "GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", 400),
        ("a header without a colon", "GET / HTTP/1.1\r\nHost: a\r\nwhat\r\n\r\n", 400),
        ("a name with a slash", "GET / HTTP/1.1\r\nHost: a\r\nX/Y: b\r\n\r\n", 400),
        ("two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        ("no host", "GET / HTTP/1.1\r\n\r\n", 400),
        ("two spaces after the method", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("a tab after the method", "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        // The library closes the connection without a word.
        ("a target of several words", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", 0),
        ("a method that is no word", "G{T / HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("an unknown version", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
        ("a version that is none", "GET / HTTP/x.y\r\nHost: a\r\n\r\n", 400),
    ]

    @Test("Whatever two parsers could read differently is refused, and nothing behind it is answered", arguments: refused)
    func smuggling(_ attempt: (name: String, text: String, status: Int)) async throws {
        let seen = Mutex<[String]>([])
        try await HTTPServer.withServer { request in
            seen.withLock { $0.append(request.target) }
            return .text("\(request.body.count)")
        } _: { server in
            for isAtOnce in [true, false] {
                let answers = try await server.onWire { client in
                    client.send(isAtOnce ? attempt.text + Self.smuggled : attempt.text)
                    let first = client.answer()
                    if !isAtOnce { client.send(Self.smuggled) }
                    return (first.status, client.rest())
                }
                #expect(answers.0 == attempt.status, "\(attempt.name)")
                #expect(!answers.1.contains("HTTP/1.1"), "\(attempt.name): \(answers.1)")
            }
        }
        #expect(seen.withLock { $0 }.isEmpty, "\(attempt.name)")
    }

    @Test("A GET with a body is answered, and its body is never taken for another request", arguments: ["GET", "HEAD", "OPTIONS", "TRACE"])
    func bodyOfGet(method: String) async throws {
        let seen = Mutex<[String]>([])
        try await HTTPServer.withServer { request in
            seen.withLock { $0.append(request.target) }
            return request.path == "/later" ? .later { .text("") } : .text("")
        } _: { server in
            for path in ["/", "/later"] {
                let answers = try await server.onWire { client in
                    client.send(
                        "\(method) \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: \(Self.smuggled.utf8.count)\r\n\r\n" + Self.smuggled)
                    return (client.answer(toHead: true).status, client.rest())
                }
                #expect(answers.0 == 200)
                #expect(!answers.1.contains("HTTP/1.1"))
            }
        }
        #expect(seen.withLock { $0 } == ["/", "/later"])
    }

    @Test("Harmless oddities are let through: blank lines first, HTTP/1.0, odd targets, bytes beyond ASCII, many headers")
    func harmless() async throws {
        try await HTTPServer.withServer {
            .text("\($0.method) \($0.path) \($0.header("x-odd") ?? "")")
        } _: { server in
            try await server.onWire { client in
                client.send("\r\n\r\nGET /1 HTTP/1.1\r\nHost:a\r\nX-Odd:\t é;=, \"x\"\r\n\r\n")
                #expect(client.answer().text == "GET /1 é;=, \"x\"")
                client.send("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(client.answer().text == "OPTIONS * ")
                for (target, path) in [
                    ("http://a/x", "/x"), ("HTTPS://a:8443/x?y=http://b/z", "/x"), ("http://a", "/"), ("http://a?y", "/"),
                    ("http:///x", "http:///x"), ("ftp://a/x", "ftp://a/x"),
                ] {
                    client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
                    #expect(client.answer().text == "GET \(path) ", "\(target)")
                }
                #expect(client.get("/é/%C3%A9?%zz").text == "GET /é/é ")
                #expect(client.get("/%2e%2e/..%2f%", headers: (0..<100).map { "X-\($0): \($0)" }).text == "GET /../../% ")
                client.send("GET /old HTTP/1.0\r\n\r\n")
                #expect(client.answer().text == "GET /old ")
                #expect(client.isEnded)
            }
        }
    }

    @Test("Heads, targets and bodies that are too large are refused, and the server goes on")
    func tooLarge() async throws {
        var configuration = HTTPServer.Configuration()
        configuration.maximumHeadBytes = 8_192
        configuration.maximumTargetBytes = 2_000
        try await HTTPServer.withServer(configuration) {
            .text("\($0.target.utf8.count)")
        } _: { server in
            func status(_ text: String) async throws -> Int {
                try await server.onWire { client in
                    client.send(text)
                    client.finish()
                    return client.answer().status
                }
            }
            func get(target: Int = 1, header: Int = 0, headers: Int = 0) -> String {
                let target = "/" + String(repeating: "a", count: target - 1)
                let many = (0..<headers).map { "X-\($0): y\r\n" }.joined()
                return "GET \(target) HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "b", count: header))\r\n\(many)\r\n"
            }
            let requests: [(text: String, expected: [Int])] = [
                (get(target: 2_000), [200]), (get(target: 2_001), [414]), (get(header: 7_000), [200]),
                // What is not read to its end may break the connection before the answer is seen.
                (get(header: 100_000), [431, 0]), (get(target: 100_000), [414, 0]), (get(headers: 20_000), [431, 0]), (get(), [200]),
            ]
            for request in requests {
                let status = try await status(request.text)
                #expect(request.expected.contains(status), "\(request.text.prefix(100))")
            }
        }
    }
}
