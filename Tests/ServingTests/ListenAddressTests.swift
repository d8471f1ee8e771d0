import Glibc
import Serving
import TestSupport
import Testing

@Suite("Addresses to listen on")
struct ListenAddressTests {
    @Test(
        "An address is read and printed the same",
        arguments: ["127.0.0.1:8080", "0.0.0.0:0", "[::1]:65535", "[2001:db8::7]:80", "unix:/run/posterity.sock", "unix:relative.sock"])
    func roundTrip(text: String) throws {
        #expect(try ListenAddress(text).description == text)
    }

    @Test(
        "What is no address is refused with its reason and an example",
        arguments: [
            ("localhost:80", "not an IP address"), ("127.0.0.1", "no port"), ("127.0.0.1:", "not a number"),
            ("127.0.0.1:65536", "not a number"),
            ("127.0.0.1:-1", "not a number"), ("127.0.0.1:+1", "not a number"), ("::1:80", "brackets"), ("[::1]", "not a number"),
            ("[127.0.0.1]:80", "only an IPv6"), ("127.1:80", "not an IP address"), (":80", "not an IP address"), ("", "no port"),
            ("unix:", "no path"), ("unix:/" + String(repeating: "x", count: 200), "at most 107 bytes"),
        ])
    func refusals(text: String, reason: String) {
        #expect { try ListenAddress(text) } throws: { error in
            let error = error as? HTTPServerError
            return error?.code == .badAddress && error!.description.contains(reason)
                && error!.description.contains("unix:/run/posterity.sock")
        }
    }

    @Test("Loopback is what only this machine can reach")
    func loopback() throws {
        for text in ["127.0.0.1:1", "127.9.9.9:1", "[::1]:1", "[::ffff:127.0.0.1]:1", "unix:/x"] {
            #expect(try ListenAddress(text).isLoopback, "\(text)")
        }
        for text in ["0.0.0.0:1", "128.0.0.1:1", "[::]:1", "[::2]:1", "[::ffff:10.0.0.1]:1", "192.168.0.1:1"] {
            #expect(try !ListenAddress(text).isLoopback, "\(text)")
        }
    }

    @Test("One server listens on several addresses at once, with several workers, and says which was asked and by whom")
    func several() async throws {
        try await withTemporaryDirectory { directory in
            var configuration = HTTPServer.Configuration()
            configuration.listen = [.tcp(host: "127.0.0.1", port: 0), .tcp(host: "::1", port: 0), .unix(path: directory + "/socket")]
            configuration.workers = 2
            try await HTTPServer.withServer(configuration) {
                .text("\($0.listener) \($0.client)")
            } _: { server in
                #expect(server.addresses[2] == configuration.listen[2])
                #expect(server.url == "http://127.0.0.1:\(server.port)")
                #expect(server.addresses[1].url == "http://[::1]:\(server.addresses[1].port ?? 0)")
                for (address, expected) in zip(server.addresses, ["0 127.0.0.1", "1 ::1", "2 unix"]) {
                    for _ in 0..<20 {
                        let texts = try await onAddress(address) { client in [client.get("/").text, client.get("/").text] }
                        #expect(texts == [expected, expected])
                    }
                }
            }
            #expect(access(directory + "/socket", F_OK) != 0)
        }
    }

    @Test("A socket file that a dead process left is replaced; a live one and any other file are refused and stay")
    func socketFiles() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/socket"
            var configuration = HTTPServer.Configuration()
            configuration.listen = [.unix(path: path)]
            // What a killed process leaves: a bound socket that nobody has open.
            let dead = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let bound = withUnsafeBytes(of: address) {
                bind(dead, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count))
            }
            #expect(bound == 0)
            close(dead)
            try await HTTPServer.withServer(configuration) { _ in
                .text("first")
            } _: { server in
                await #expect { try await HTTPServer.withServer(configuration, handler: { _ in .text("") }) { _ in } } throws: {
                    ($0 as? HTTPServerError)?.code == .portInUse && "\($0)".contains(path)
                }
                let text = try await server.onWire { $0.get("/").text }
                #expect(text == "first")
            }
            #expect(access(path, F_OK) != 0)
            let file = open(path, O_CREAT | O_WRONLY, 0o600)
            close(file)
            await #expect { try await HTTPServer.withServer(configuration, handler: { _ in .text("") }) { _ in } } throws: {
                ($0 as? HTTPServerError)?.code == .fileInTheWay
            }
            #expect(access(path, F_OK) == 0)
        }
    }

    @Test("A port that is taken, a name instead of an address, and a port out of range are refused, each with its reason")
    func taken() async throws {
        func code(_ address: ListenAddress) async -> HTTPServerError.Code? {
            var configuration = HTTPServer.Configuration()
            configuration.listen = [address]
            do {
                try await HTTPServer.withServer(configuration, handler: { _ in .text("") }) { _ in }
                return nil
            } catch {
                return (error as? HTTPServerError)?.code
            }
        }
        try await HTTPServer.withServer { _ in
            .text("")
        } _: { server in
            #expect(await code(server.addresses[0]) == .portInUse)
        }
        #expect(await code(.tcp(host: "localhost", port: 0)) == .badAddress)
        #expect(await code(.tcp(host: "127.0.0.1", port: 70_000)) == .badAddress)
        #expect(await code(.tcp(host: "", port: 0)) == .badAddress)
        #expect(await code(.tcp(host: "192.0.2.1", port: 0)) == .system)
        #expect(await code(.unix(path: "/nonexistent/socket")) == .system)
    }
}
