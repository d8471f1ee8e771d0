import Core
import FoundationEssentials
import Glibc
import StandIn
import TestSupport
import Testing

@testable import Gateway
@testable import Storage

extension GatewayTests {
    @Suite("What the owner sees")
    struct WatchingTests {
        @Test("Health for everybody, metrics at the owner's address alone")
        func health() async throws {
            try await House.with { house in
                for base in [house.url, house.admin] {
                    for path in ["/healthz", "/readyz"] { #expect(try await Reply(of: base + path, []).status == 200) }
                }
                #expect(try await house.get("/metrics").status == 404)
                _ = try await house.get("/3/movie/popular")
                _ = try await house.get("/3/movie/popular")
                _ = try await house.get("/3/nothing")
                // A request is counted when it is over, which may be a moment after its client has the answer.
                try await house.wait { try await Reply(of: house.admin + "/metrics", []).text.contains("area=\"api\",status=\"404\"} 1") }
                let metrics = try await Reply(of: house.admin + "/metrics", [])
                #expect(metrics["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
                let lines = metrics.text.split(separator: "\n")
                #expect(lines.contains("posterity_cache_results_total{area=\"api\",result=\"hit\"} 1"))
                #expect(lines.contains("posterity_cache_results_total{area=\"api\",result=\"miss\"} 1"))
                #expect(lines.contains("posterity_upstream_requests_total{status=\"200\"} 1"))
                #expect(lines.contains("# TYPE posterity_connections_refused counter"), "what only grows is a counter")
                // As Prometheus reads it: a name, labels, a number; each series declared before.
                for line in lines where !line.hasPrefix("#") {
                    #expect(line.wholeMatch(of: /posterity_[a-z_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? [0-9.e+-]+/) != nil, "\(line)")
                }
            }
        }

        @Test("Each request is a line, in which nothing that a client sends can forge another", arguments: [AccessLogForm.lines, .json])
        func accessLog(form: AccessLogForm) async throws {
            try await House.with({ setup, _ in setup.options.accessLog = form }) { house in
                let targets = [
                    "/3/movie/popular", "/3/movie/popular", "/3/x?api_key=pst_secret&page=1&a%70i_key=pst_secret", "/3/%0d%0aforged",
                    "/\"quoted\"",
                    "/3/search/movie?query=%1b[31m", "/%e2%80%ae",
                ]
                for target in targets { _ = try await house.get(target, "-H", "User-Agent: \"forged\"") }
                func lines() throws -> [String] {
                    try String(contentsOf: URL(filePath: house.accessLog), encoding: .utf8).split(separator: "\n").map(String.init)
                }
                try await house.wait { (try? lines().count) ?? 0 >= targets.count }
                let lines = try lines()
                #expect(lines.count == targets.count)
                #expect(!lines.contains { $0.contains("pst_secret") })
                #expect(lines.allSatisfy { $0.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) } })
                if form == .json {
                    struct Line: Decodable {
                        let client: String
                        let method: String
                        let target: String
                        let status: Int
                        let cache: String?
                    }
                    let read = try lines.map { try JSONText.decode(Line.self, from: Array($0.utf8)) }
                    #expect(read.map(\.status) == [200, 200, 404, 400, 404, 400, 404])
                    #expect(read.compactMap(\.cache) == ["miss", "hit"])
                    #expect(read.allSatisfy { $0.client == "127.0.0.1" && $0.method == "GET" })
                } else {
                    #expect(lines[0].hasPrefix("127.0.0.1 - [2026-11-30T06:00:00Z] \"GET /3/movie/popular\" 200 "))
                    #expect(lines[0].hasSuffix(" miss") && lines[1].hasSuffix(" hit"))
                }
            }
        }

        @Test(
            "What follows api_key= is not written down, wherever it stands",
            arguments: [
                ("/3/x?page=1?api_key=SECRET", "/3/x?page=1?api_key=..."),
                ("/3/x?query=a;api_key=SECRET&page=2", "/3/x?query=a;api_key=...&page=2"),
                ("/3/x?query=a;a%70i%5Fkey%3dSECRET", "/3/x?query=a;a%70i%5Fkey%3d..."),
                ("/3/api_key=SECRET/x?page=1", "/3/api_key=..."), ("/3/x&API_KEY=SECRET&b", "/3/x&API_KEY=...&b"),
                ("/3/x?api_key=SECRET", "/3/x?api_key=..."), ("/3/x?query=api_key", "/3/x?query=api_key"),
                ("/3/x?query=%", "/3/x?query=%"), ("/3/x?query=a%70", "/3/x?query=a%70"),
            ])
        func tokensInTargets(target: String, shown: String) async throws {
            #expect(AccessRecord.shown(target) == shown)
            try await House.with { house in
                _ = try await house.get(target)
                func log() -> String { (try? String(contentsOf: URL(filePath: house.accessLog), encoding: .utf8)) ?? "" }
                try await house.wait { log().hasSuffix("\n") }
                #expect(log().contains("\"GET \(shown)\" ") && !log().contains("SECRET"), "\(log())")
            }
        }

        @Test("A log that was rotated away is begun anew")
        func rotation() async throws {
            try await House.with { house in
                _ = try await house.get("/3/movie/popular")
                try await house.wait { FileManager.default.fileExists(atPath: house.accessLog) }
                try FileManager.default.moveItem(atPath: house.accessLog, toPath: house.accessLog + ".1")
                _ = try await house.get("/3/movie/popular")
                try await house.wait { FileManager.default.fileExists(atPath: house.accessLog) }
            }
        }
    }

    @Test("The cache's trouble is said once a kind, whatever files it meets")
    static func alarm() {
        let log = LogBook()
        let alarm = Alarm(log: log.log)
        for number in 0..<300 {
            alarm.sound(CacheError(errno: ENOSPC, doing: "write", path: "tmp/\(number)"))
            alarm.sound(CacheError(errno: ENOSPC, doing: "rename tmp/\(number) to", path: "objects/\(number)"))
            alarm.sound(CacheError(errno: EACCES, doing: "write", path: "tmp/\(number)"))
        }
        #expect(log.lines(.error).count == 3)
        #expect(log.lines(.error).contains { $0.hasPrefix("cannot write tmp/0: ") })
    }

    @Suite("A site beside")
    struct SiteTests {
        @Test("A published site is served with the right types, and is swapped as a whole")
        func site() async throws {
            try await House.with({ setup, home in
                try write(
                    ["index.html": "<p>one</p>", "style.css": "p{}", "week/index.html": "week", "feed.json": "{}", ".record.json": "{}"],
                    to: home + "/site")
                try FileManager.default.createSymbolicLink(atPath: home + "/site/link.txt", withDestinationPath: "/etc/hostname")
                try FileManager.default.createSymbolicLink(atPath: home + "/site/etc", withDestinationPath: "/etc")
                setup.options.site = home + "/site"
            }) { house in
                let page = try await house.get("/")
                #expect((page.status, page.text, page["Content-Type"]) == (200, "<p>one</p>", "text/html; charset=utf-8"))
                #expect(try await house.get("/", "-H", "If-None-Match: \(page["ETag"] ?? "")").status == 304)
                #expect(try await house.get("/style.css")["Content-Type"] == "text/css; charset=utf-8")
                #expect(try await house.get("/feed.json")["Content-Type"] == "application/json")
                #expect(try await house.get("/week/").text == "week")
                let folder = try await house.get("/week")
                #expect((folder.status, folder["Location"]) == (308, "/week/"))
                for target in [
                    "/link.txt", "/etc/hostname", "/../access.log", "/%2e%2e/access.log", "/..%2faccess.log", "/.record.json",
                    "/style.css/", "/nothing",
                    "/week/../../access.log", "/week//index.html", "/style.css%00.html", "//etc/hostname",
                ] {
                    #expect([400, 404].contains(try await house.get(target).status), "\(target)")
                }
                try write(["index.html": "<p>two</p>"], to: house.home + "/next")
                try FileManager.default.moveItem(atPath: house.home + "/site", toPath: house.home + "/old")
                try FileManager.default.moveItem(atPath: house.home + "/next", toPath: house.home + "/site")
                #expect(try await house.get("/", "-H", "If-None-Match: \(page["ETag"] ?? "")").text == "<p>two</p>")
            }
        }
    }
}

private func write(_ files: [String: String], to directory: String) throws {
    for (name, text) in files {
        let path = directory + "/" + name
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path))
    }
}
