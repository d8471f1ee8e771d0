import Serving
import Testing

@Suite("Conditions and ranges")
struct ConditionTests {
    static let tag = "\"abc\""
    static let date = "Mon, 30 Nov 2026 06:21:44 GMT"
    static let whole = ServerResponse(
        headers: [
            ("Content-Type", "text/plain"), ("ETag", tag), ("Last-Modified", date), ("Cache-Control", "max-age=60"),
            ("Accept-Ranges", "bytes"),
        ],
        body: SharedBytes(Array("0123456789".utf8)))

    static func answer(_ headers: [(name: String, value: String)], method: String = "GET") -> ServerResponse {
        whole.answering(ServerRequest(method: method, target: "/", headers: headers))
    }

    @Test(
        "An unchanged answer is 304, with what a cache needs and no more",
        arguments: [tag, "*", "W/\"abc\"", "\"x\", \"abc\"", " \"x\",\t\"abc\" ,\"y\""])
    func unchanged(tags: String) {
        for method in ["GET", "HEAD"] {
            let answer = Self.answer([("If-None-Match", tags), ("If-Modified-Since", "Thu, 01 Jan 1970 00:00:00 GMT")], method: method)
            #expect(answer.status == 304)
            #expect(answer.body.count == 0)
            #expect(answer.headers.map(\.name) == ["ETag", "Last-Modified", "Cache-Control"])
        }
    }

    @Test("A changed answer is whole", arguments: ["\"ab\"", "abc", "", "\"ABC\"", "\"x\", \"y\""])
    func changed(tags: String) {
        #expect(Self.answer([("If-None-Match", tags), ("If-Modified-Since", Self.date)]).status == 200)
    }

    @Test("The date counts where there is no tag")
    func dates() {
        #expect(Self.answer([("If-Modified-Since", Self.date)]).status == 304)
        #expect(Self.answer([("If-Modified-Since", "Mon, 30 Nov 2026 06:21:43 GMT")]).status == 200)
    }

    @Test(
        "One range is given as asked",
        arguments: [
            ("bytes=0-0", "0"), ("bytes=2-4", "234"), ("bytes=5-", "56789"), ("bytes=-3", "789"), ("bytes=-30", "0123456789"),
            ("bytes=0-99", "0123456789"), ("BYTES=9-9", "9"),
        ])
    func ranges(range: String, expected: String) throws {
        let answer = Self.answer([("Range", range)])
        #expect(answer.status == 206)
        guard case .bytes(let bytes) = answer.body else { throw Failure() }
        #expect(String(decoding: bytes.bytes, as: UTF8.self) == expected)
        let first = try #require(expected.first)
        let last = try #require(expected.last)
        #expect(answer.header("Content-Range") == "bytes \(first)-\(last)/10")
        #expect(answer.header("etag") == Self.tag)
    }

    private struct Failure: Error {}

    @Test("A range beyond the end cannot be had", arguments: ["bytes=10-", "bytes=10-20", "bytes=-0", "bytes=999999999999999999-"])
    func unsatisfiable(range: String) {
        let answer = Self.answer([("Range", range)])
        #expect(answer.status == 416)
        #expect(answer.header("Content-Range") == "bytes */10")
    }

    @Test(
        "A range that is not understood, several of them, and one that HEAD brings are passed over",
        arguments: [
            "bytes=", "bytes=-", "bytes=4-2", "bytes=0-1,3-4", "lines=0-1", "bytes=a-b", "bytes=0x1-2", "bytes=+1-2",
            "bytes=99999999999999999999-",
        ])
    func passedOver(range: String) {
        #expect(Self.answer([("Range", range)]).status == 200)
        #expect(Self.answer([("Range", "bytes=0-0")], method: "HEAD").status == 200)
    }

    @Test("If-Range gives the part only of the very same answer")
    func ifRange() {
        let cases = [(Self.tag, 206), (Self.date, 206), ("\"x\"", 200), ("W/\"abc\"", 200), ("Mon, 30 Nov 2026 06:21:45 GMT", 200)]
        for (condition, status) in cases {
            #expect(Self.answer([("Range", "bytes=0-0"), ("If-Range", condition)]).status == status, "\(condition)")
        }
    }

    @Test("Over the wire, prepared answers meet conditions and ranges, from memory and from a file, with connections kept")
    func overTheWire() async throws {
        try await withTestFile { file, bytes in
            let headers = [("Content-Type", "image/jpeg"), ("ETag", Self.tag)]
            let prepared = [
                "/file": PreparedResponse(ServerResponse(headers: headers, file: file)),
                "/bytes": PreparedResponse(ServerResponse(headers: headers, body: SharedBytes(bytes))),
            ]
            try await HTTPServer.withServer { request in
                prepared[request.path]!.answering(request)
            } _: { server in
                try await server.onWire { client in
                    for path in ["/file", "/bytes"] {
                        #expect(client.get(path).body == bytes)
                        let unchanged = client.get(path, headers: ["if-none-match: \(Self.tag)"])
                        #expect(unchanged.status == 304)
                        #expect(unchanged.header("ETag") == Self.tag)
                        #expect(unchanged.header("Content-Type") == nil)
                        let part = client.get(path, headers: ["Range: bytes=100000-199999"])
                        #expect(part.status == 206)
                        #expect(part.header("Content-Range") == "bytes 100000-199999/300000")
                        #expect(part.header("Content-Length") == "100000")
                        #expect(part.body == Array(bytes[100_000..<200_000]))
                        let none = client.get(path, headers: ["Range: bytes=300000-"])
                        #expect(none.status == 416)
                        #expect(client.get(path, method: "HEAD", headers: ["Range: bytes=0-1"]).header("Content-Length") == "300000")
                    }
                }
                #expect(server.statistics.accepted == 1)
            }
        }
    }
}
