import Core
import Testing
import Transfer

@Suite("Web addresses")
struct WebAddressTests {
    @Test("An address is taken apart and normalised")
    func parsing() throws {
        let address = try WebAddress("HTTPS://Img.Example.org:443/t/../t/p?q=1#part")
        #expect(address.scheme == "https")
        #expect(address.host == "img.example.org")
        #expect(address.port == 443)
        #expect(address.text == "https://img.example.org/t/p?q=1")
        #expect(address.description == "https://img.example.org/t/p")
        #expect(!address.isLoopback)
        #expect(try WebAddress("http://[::1]:8080").text == "http://[::1]:8080/")
        #expect(try WebAddress("https://xn--bcher-kva.example/").host == "xn--bcher-kva.example")
    }

    @Test("This machine is known by each of its names", arguments: ["127.0.0.1", "127.1", "localhost", "LOCALHOST", "[::1]", "2130706433"])
    func loopback(host: String) throws {
        #expect(try WebAddress("http://\(host):80/").isLoopback)
    }

    @Test("Other machines are not", arguments: ["localhost.example.org", "128.0.0.1", "127.0.0.1.example.org", "[::2]", "example.org"])
    func notLoopback(host: String) throws {
        #expect(try !WebAddress("http://\(host):80/").isLoopback)
    }

    @Test(
        "What is no http or https address is refused",
        arguments: [
            "", "img.example.org/t/p", "/t/p", "file:///etc/passwd", "ftp://example.org/", "https://", "https://a b/",
            "https://e.org:99999/",
            "https://me:swordfish@example.org/", "https://me@example.org/", "https://e.org/\u{0}x", "https://bücher.example/",
        ])
    func refused(text: String) {
        let error = #expect(throws: TransferError.self) { try WebAddress(text) }
        #expect(error?.code == .badAddress || error?.code == .notAllowed)
        #expect(error?.description.contains("swordfish") == false)
    }

    @Test(
        "A path is added as data",
        arguments: [
            ("/w342/abc.jpg", "/w342/abc.jpg"), ("abc.jpg", "/abc.jpg"), ("/a b.jpg", "/a%20b.jpg"), ("/é.jpg", "/%C3%A9.jpg"),
            ("/a?b#c", "/a%3Fb%23c"),
            ("/100%.jpg", "/100%25.jpg"), ("/%2ea%2F/x", "/%252ea%252F/x"), ("/a..b", "/a..b"), ("/a:b@c", "/a%3Ab%40c"),
            ("/映画.jpg", "/%E6%98%A0%E7%94%BB.jpg"),
        ])
    func appending(path: String, expected: String) throws {
        for base in ["https://img.example.org/t/p", "https://img.example.org/t/p/"] {
            let address = try WebAddress(base).appending(path: path)
            #expect(address.text == "https://img.example.org/t/p" + expected)
            // What libcurl makes of the text must be the same again.
            #expect(try WebAddress(address.text) == address)
        }
    }

    @Test(
        "A path that could lead elsewhere is refused",
        arguments: [
            "", "/", "/../../x", "/a/..", "..", "/./a", "//host/x", "/a//b", "https://other.example.org/x", "javascript:x", "/a\\b",
            "/a\u{0}b", "/a\nb", "/..%2f..%2fx.jpg", "/%2e%2e/x.jpg", "/%252e%252e%255cx.jpg",
            "/a\u{7F}", "/a\u{85}", "/" + String(repeating: "x", count: 3_000),
        ])
    func badPath(path: String) throws {
        let base = try WebAddress("https://img.example.org/t/p")
        let error = #expect(throws: TransferError.self) { try base.appending(path: path) }
        #expect(error?.code == .badPath)
        #expect(error?.reason == .badPath)
    }

    @Test("A query is added as data, and not shown")
    func query() throws {
        let address = try WebAddress("https://api.example.org/3/list?a=1").appending(query: [("page", "2"), ("api_key", "k&y ü")])
        #expect(address.text == "https://api.example.org/3/list?a=1&page=2&api_key=k%26y%20%C3%BC")
        #expect("\(address)" == "https://api.example.org/3/list")
    }

    @Test("A secret shows itself to nobody")
    func secret() {
        let secret = Secret("swordfish")
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), dumped, String(describing: Optional(secret))] {
            #expect(!text.contains("swordfish"))
        }
    }

    @Test(
        "A combining mark behind a slash, a dot or a backslash hides none of them",
        arguments: [
            "/../\u{301}x.jpg", "/a/..\u{2F}\u{308}b.jpg", "//\u{301}host/x.jpg", "/a\\\u{301}b.jpg", "/./\u{FE0F}x.jpg", "/..",
            "/a/../\u{200D}",
        ])
    func combiningMarks(path: String) throws {
        let base = try WebAddress("https://img.example.org/t/p")
        let error = #expect(throws: TransferError.self) { try base.appending(path: path) }
        #expect(error?.code == .badPath)
    }
}
