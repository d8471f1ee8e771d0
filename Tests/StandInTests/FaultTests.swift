import Core
import FoundationEssentials
import Testing
import TestSupport

@testable import StandIn

@Suite("Faults over the wire")
struct FaultTests {
    private static let key = ["Authorization: Bearer posterity-demo"]
    private static let list = "/3/movie/popular"

    /// What a client gets for a list page while `rule` is in force.
    private func answer(_ rule: String, method: String = "GET", upTo limit: Int = 20_000_000) async throws -> RawClient.Answer {
        try await StandIn.withStandIn { standIn in
            try standIn.addFaults(rule)
            return await RawClient(standIn.apiURL).send(method, Self.list, headers: Self.key, upTo: limit)
        }
    }

    private func length(_ answer: RawClient.Answer) -> Int? {
        answer.header("Content-Length").flatMap { Int($0) }
    }

    @Test("A status, with Retry-After in each of its forms")
    func retryAfter() async throws {
        let seconds = try await answer("api status=429 retry-after=3")
        #expect(seconds.status == 429 && seconds.header("Retry-After") == "3")
        #expect(seconds.text.contains("status_message"))
        let date = try await answer("api status=503 retry-after=date+5")
        let text = try #require(date.header("Retry-After"))
        #expect(HTTPDate.parse(text, now: Date()) != nil, "\(text)")
        #expect(try await answer("api status=503 retry-after=-3").header("Retry-After") == "-3")
        #expect(try await answer("api status=503 retry-after=in%20a%20while").header("Retry-After") == "in a while")
        #expect(try await answer("api status=503").header("Retry-After") == nil)
    }

    @Test("Truncated: the whole length is declared, and half of it sent")
    func truncated() async throws {
        let answer = try await answer("api truncate=50%")
        let declared = try #require(length(answer))
        #expect(answer.body.count == declared / 2)
    }

    @Test("A length that is too long, too short, or not given")
    func lengths() async throws {
        let long = try await answer("api length=+100")
        #expect(length(long) == long.body.count + 100)
        let short = try await answer("api length=-100")
        #expect(length(short) == short.body.count - 100)
        let none = try await answer("api length=none")
        #expect(length(none) == nil && none.body.count > 1_000)
    }

    @Test("Chunked and cut: the last chunk never comes")
    func cut() async throws {
        let answer = try await answer("api cut=50%")
        #expect(answer.header("Transfer-Encoding") == "chunked")
        #expect(!answer.text.hasSuffix("0\r\n\r\n") && answer.body.count > 1_000)
    }

    @Test("A reset is a reset, not an end")
    func reset() async throws {
        let answer = try await answer("api reset")
        #expect(answer.wasReset && answer.status == 0)
    }

    @Test("Dripped: all of it comes, bit by bit")
    func drip() async throws {
        let dripped = try await answer("api drip=40000")
        #expect(length(dripped) == dripped.body.count)
    }

    @Test("Endless: it goes on for as long as anybody reads")
    func endless() async throws {
        #expect(try await answer("api endless", upTo: 3_000_000).wasCutOff)
    }

    @Test("A header bomb of a megabyte")
    func headerBomb() async throws {
        let answer = try await answer("api header-bomb=1000")
        #expect(answer.headers.count > 1_000)
    }

    @Test("Bodies that are not what they should be, with types to match or not")
    func bodies() async throws {
        let html = try await answer("api body=html")
        #expect(html.status == 200 && html.text.contains("<html") && html.header("Content-Type")?.hasPrefix("text/html") == true)
        let lying = try await answer("api body=html type=image/jpeg")
        #expect(lying.text.contains("<html") && lying.header("Content-Type") == "image/jpeg")
        let untyped = try await answer("api type=none")
        #expect(untyped.header("Content-Type") == nil && untyped.body.count > 1_000)
        let empty = try await answer("api body=empty")
        #expect(empty.status == 200 && empty.body.isEmpty)
    }

    @Test("Redirects, to somewhere or in a circle")
    func redirects() async throws {
        let away = try await answer("api redirect=http://169.254.169.254/x")
        #expect(away.status == 302 && away.header("Location") == "http://169.254.169.254/x")
        let loop = try await answer("api status=307 redirect=loop")
        #expect(loop.status == 307 && loop.header("Location") == Self.list)
    }

    @Test("206 and 304 that nobody asked for")
    func unasked() async throws {
        let partial = try await answer("api partial")
        #expect(partial.status == 206 && partial.header("Content-Range")?.hasPrefix("bytes 0-") == true)
        let unchanged = try await answer("api not-modified")
        #expect(unchanged.status == 304 && unchanged.body.isEmpty)
    }

    @Test("A gzipped body says so, and is wrapped as gzip wraps")
    func gzip() async throws {
        let plain = try await answer("api delay=1")
        let gzipped = try await answer("api gzip")
        #expect(gzipped.header("Content-Encoding") == "gzip")
        #expect(gzipped.body.prefix(2) == [0x1F, 0x8B])
        #expect(gzipped.body == Gzip.stored(plain.body))
    }

    @Test("A file from the disk in the place of the body")
    func file() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/a picture.bin"
            try TestFile.write([1, 2, 3], to: path)
            let answer = try await answer("api file=\(path.replacing(" ", with: "%20"))")
            #expect(answer.status == 200 && answer.body == [1, 2, 3])
            #expect(try await self.answer("api file=\(directory)/nothing").status == 500)
        }
    }

    @Test("Each way to spoil the JSON sends something else than the page", arguments: JSONFault.allCases)
    func json(variant: JSONFault) async throws {
        let plain = try await answer("api delay=1")
        let spoilt = try await answer("api json=\(variant.rawValue)")
        #expect(spoilt.status == 200)
        #expect(spoilt.body != plain.body && !spoilt.body.isEmpty)
    }

    @Test("Traversing paths and control characters reach the client as they are")
    func hostileTexts() async throws {
        struct Page: Decodable {
            struct Result: Decodable {
                var title: String
                var poster_path: String?
            }
            var results: [Result]
        }
        let paths = try JSONText.decode(Page.self, from: try await answer("api json=traversal").body).results.map(\.poster_path)
        #expect(paths.contains("/../../etc/passwd") && paths.contains("//other.example/x.jpg") && paths.contains("/nul\0.jpg"))
        let titles = try JSONText.decode(Page.self, from: try await answer("api json=controls").body).results.map(\.title)
        #expect(titles.contains("nul \0 inside"))
        #expect(titles.contains { $0.unicodeScalars.contains("\u{202E}") })
    }

    @Test("Faults are set, seen and lifted by control requests, which are not spoilt themselves")
    func control() async throws {
        try await StandIn.withStandIn { standIn in
            let client = RawClient(standIn.controlURL)
            #expect(await client.send("POST", "/control/faults", body: "api first=1 status=500\nimages reset\n").status == 200)
            #expect(await client.send("POST", "/control/faults", body: "api statuss=500").status == 400)
            #expect(await client.get(Self.list, headers: Self.key).status == 500)
            #expect(await client.get(Self.list, headers: Self.key).status == 200)
            #expect(await client.get("/control/faults").text.contains("{\"rule\":\"api first=1 status=500\",\"hits\":1}"))
            let log = await client.get("/control/requests").text
            #expect(log.contains("\"api\":2") && log.contains("\"api 500\":1") && log.contains("\"faults\":1"))
            #expect(await client.send("DELETE", "/control/faults").text.contains("\"faults\":[]"))
            #expect(await client.send("POST", "/control/week", body: "3").status == 200)
            #expect(standIn.week == 3)
            #expect(await client.send("POST", "/control/reset").status == 200)
            #expect(standIn.requests.isEmpty && standIn.counts.isEmpty)
        }
    }

    @Test("A delayed answer comes in the end, and so do the others")
    func delay() async throws {
        try await StandIn.withStandIn { standIn in
            try standIn.addFaults("path=top_rated delay=700")
            let client = RawClient(standIn.apiURL)
            async let slow = client.get("/3/movie/top_rated", headers: Self.key)
            for _ in 0..<3 { #expect(await client.get(Self.list, headers: Self.key).status == 200) }
            #expect(await slow.status == 200)
        }
    }
}
