import Core
import FoundationEssentials
import Glibc
import StandIn
import TestSupport

// What strangers may send to `posterity serve`. In every case honest clients are served meanwhile and afterwards.

extension FaultCase {
    static let gateway: [FaultCase] = [
        FaultCase(.gateway, "paths that climb, are encoded twice, or carry zeros and control characters", .quick) { bench in
            try await answered(
                bench, oddTargets.map { "GET \($0) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" }, with: [400, 404, 414])
        },
        FaultCase(.gateway, "line breaks in paths, queries and headers that come back in answers", .quick) { bench in
            try await answered(
                bench,
                [
                    "GET /3/movie/popular%0d%0aSet-Cookie:%20a=b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
                    "GET /3/movie/popular?language=de%0d%0aSet-Cookie:%20a=b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
                    "GET /nowhere%0d%0aSet-Cookie:%20a=b/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
                    "GET /3/movie/popular?page=0 HTTP/1.1\r\nHost: a\r\nOrigin: https://a\rSet-Cookie: a=b\r\nConnection: close\r\n\r\n",
                    "GET /3/movie/popular HTTP/1.1\r\nHost: a\r\nOrigin: https://a\n Set-Cookie: a=b\r\nConnection: close\r\n\r\n",
                ], with: [200, 400, 404])
        },
        FaultCase(.gateway, "request smuggling: two lengths, length and chunks, folded and spaced headers, bare line ends", .quick) {
            bench in
            // What follows would be a request of its own, if the first one's end were mistaken.
            let second = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
            return try await answered(
                bench,
                [
                    "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 37\r\n\r\n" + second,
                    "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 37\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + second,
                    "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" + second,
                    "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + second,
                    "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n" + second,
                    "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: +37\r\n\r\n" + second,
                    "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 37\r\n\r\n" + second,
                    "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n" + second,
                    "GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n" + second,
                    "GET / HTTP/1.1\r\nHost: a\r\nX\0Y: z\r\n\r\n" + second,
                ], with: [400, 404, 411, 413], butNotFor: "smuggled")
        },
        FaultCase(.gateway, "headers of a megabyte, ten thousand of them, and a path of a megabyte", .quick) { bench in
            try await answered(
                bench,
                [
                    "GET / HTTP/1.1\r\nHost: a\r\nX: " + String(repeating: "a", count: 1_000_000) + "\r\n\r\n",
                    "GET / HTTP/1.1\r\nHost: a\r\n" + (0..<10_000).map { "X-\($0): y\r\n" }.joined() + "\r\n",
                    "GET /" + String(repeating: "a", count: 1_000_000) + " HTTP/1.1\r\nHost: a\r\n\r\n",
                    "GET /3/search/movie?query=" + String(repeating: "a", count: 3_000)
                        + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
                    String(repeating: "a", count: 1_000_000),
                ], with: [400, 414, 431, 0])
        },
        FaultCase(.gateway, "two hundred clients that send a byte a second, and two hundred that read none", .waiting) {
            try await slowClients($0)
        },
        FaultCase(.gateway, "ten thousand idle connections") { try await idleConnections($0) },
        FaultCase(.gateway, "killed (SIGKILL) while it answers") { try await killed($0) },
    ]

    // MARK: - Odd requests

    private static let oddTargets = [
        "/3/../../etc/passwd", "/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd",
        "/%252e%252e%252fetc/passwd",
        "/t/p/w185/../../../posterity.json", "/t/p/w185/..%2f..%2f..%2findex.sqlite", "/t/p/w185/%2e%2e", "/t/p/w185/.hidden",
        "/t/p/w185/a%00.jpg",
        "/3/movie/popular%00", "/3/movie%2fpopular", "/3//movie/popular", "/3/./movie/popular", "/3/movie/popular;x=y",
        "/3/movie/popular%3fpage=2",
        "/3/movie/popular?page=%00", "/3/movie/popular?page=1&page=2", "/3/search/movie?query=%ff%fe", "/3/search/movie?query=%c0%ae%c0%ae",
        "*",
        "http://169.254.169.254/latest/meta-data", "//169.254.169.254/3/movie/popular", "/r/x/w185/..%5c..%5ca.jpg", "/3/movie/1%0a",
        "/\u{7f}",
    ]

    /// Sends each of `requests`, and expects each to be answered with one of `statuses` (0: with the connection's end), and nobody asked.
    private static func answered(
        _ bench: Bench, _ requests: [String], with statuses: Set<Int>, butNotFor word: String? = nil
    ) async throws -> Finding {
        try await bench.withScene { scene in
            try await scene.withGateway { gateway in
                var finding = Finding()
                try await gateway.expectService(&finding)
                let before = scene.standIn.requests.count
                var seen: Set<Int> = []
                for request in requests {
                    let answer = String(decoding: try await gateway.exchange(Array(request.utf8)), as: UTF8.self)
                    let status = answer.isEmpty ? 0 : Int(answer.dropFirst(9).prefix(3)) ?? -1
                    seen.insert(status)
                    finding.expect(statuses.contains(status), "\(status) for \(request.prefix(80))")
                    finding.expect(!answer.lowercased().contains("\nset-cookie"), "a header was injected by \(request.prefix(80))")
                    // The library writes the head of a refusal of its own twice before it closes; anything but refusals would be another answer.
                    let answers = answer.components(of: "HTTP/1.1 ")
                    finding.expect(
                        answers <= 1 || answers == answer.components(of: "HTTP/1.1 400 "), "two answers to \(request.prefix(120))")
                }
                finding.note("answered with " + seen.sorted().map(String.init).joined(separator: ", "))
                let asked = scene.standIn.requests.dropFirst(before).map(\.target).filter { $0 != "/3/movie/popular" }
                finding.expect(asked.isEmpty, "it asked for \(asked)")
                try await gateway.expectService(&finding)
                let ending = try await gateway.stopped()
                finding.expect(ending.status == 0, "it ends with \(ending.status)")
                finding.expect(ending.peakMegabytes < 300, "\(ending.peakMegabytes) MB of memory")
                let lines = ending.errors.split(separator: "\n")
                finding.expect(
                    lines.allSatisfy { $0.utf8.allSatisfy { (0x20...0x7E).contains($0) } },
                    "the log has characters that can break a terminal")
                if let word {
                    finding.expect(
                        !lines.contains { $0.contains("/\(word)\"") || $0.contains("/\(word) ") }, "a smuggled request was served")
                }
                return finding
            }
        }
    }

    // MARK: - Slow and many

    private static func slowClients(_ bench: Bench) async throws -> Finding {
        try await bench.withScene { scene in
            try await scene.withGateway { gateway in
                var finding = Finding()
                try await gateway.expectService(&finding)
                let port = gateway.port
                let ended = try await onDedicatedThread { () throws -> Int in
                    let request = Array("GET /3/movie/popular HTTP/1.1\r\nHost: a\r\nX: ".utf8)
                    var dripping = try (0..<200).map { _ in try RawSocket(port: port) }
                    // Asks for much and takes none of it: the answers fill the system's buffers, and then wait.
                    let many = Array(String(repeating: "GET /3/movie/popular HTTP/1.1\r\nHost: a\r\n\r\n", count: 2_000).utf8)
                    let deaf = try (0..<200).map { _ in try RawSocket(port: port, receiveBuffer: 2_048) }
                    for socket in deaf { _ = socket.send(many, waits: false) }
                    for socket in dripping { _ = socket.send(request) }
                    var ended = 0
                    for _ in 0..<45 where !dripping.isEmpty {
                        sleep(1)
                        dripping.removeAll { socket in
                            let isOver = !socket.send([UInt8(ascii: "a")]) || socket.hasEnded
                            if isOver { ended += 1 }
                            return isOver
                        }
                    }
                    return ended
                }
                finding.note("\(ended) of 200 trickling clients were cut off within 45 s")
                finding.expect(ended == 200, "\(200 - ended) were still there")
                try await gateway.expectService(&finding)
                let ending = try await gateway.stopped()
                finding.expect(ending.status == 0, "it ends with \(ending.status)")
                finding.expect(ending.peakMegabytes < 300, "\(ending.peakMegabytes) MB of memory")
                return finding
            }
        }
    }

    private static func idleConnections(_ bench: Bench) async throws -> Finding {
        let count = 10_000
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        getrlimit(resource, &limit)
        guard limit.rlim_max >= rlim_t(count + 1_000) else { throw Skipped("only \(limit.rlim_max) files may be open (`ulimit -Hn`)") }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
        return try await bench.withScene { scene in
            try await scene.withGateway { gateway in
                var finding = Finding()
                try await gateway.expectService(&finding)
                let before = gateway.residentMegabytes
                let port = gateway.port
                let sockets = try await onDedicatedThread { try (0..<count).map { _ in try RawSocket(port: port) } }
                for _ in 0..<20 { try await gateway.expectService(&finding) }
                let after = gateway.residentMegabytes
                withExtendedLifetime(sockets) {}
                finding.note("\(after - before) MB more, and others are served")
                finding.expect(after - before <= 200, "\(after - before) MB for \(count) idle connections")
                let ending = try await gateway.stopped()
                finding.expect(ending.status == 0, "it ends with \(ending.status): \(ending.errors.suffix(200))")
                return finding
            }
        }
    }

    // MARK: - Killed

    private static func killed(_ bench: Bench) async throws -> Finding {
        try await bench.withScene(titles: 60) { scene in
            var finding = Finding()
            var kept: [Int: [UInt8]] = [:]
            for round in 0..<5 {
                let answered = try await scene.withGateway { gateway in
                    var answered: [Int: [UInt8]] = [:]
                    for page in (round * 40 + 1)...(round * 40 + 40) {
                        let answer = try await gateway.exchange(
                            Array("GET /3/movie/popular?page=\(page) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8))
                        guard answer.starts(with: Array("HTTP/1.1 200".utf8)) else { continue }
                        answered[page] = bodyOf(answer)
                        if page == round * 40 + 5 + round * 7 {
                            gateway.tool.signal(SIGKILL)
                            break
                        }
                    }
                    return answered
                }
                kept.merge(answered) { $1 }
            }
            // Nobody can be asked any more: whatever was answered must be there.
            try scene.standIn.addFaults("api reset")
            let lost = try await scene.withGateway { gateway in
                var lost: [Int] = []
                for (page, body) in kept {
                    let answer = try await gateway.exchange(
                        Array("GET /3/movie/popular?page=\(page) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8))
                    if bodyOf(answer) != body { lost.append(page) }
                }
                return lost
            }
            finding.note("killed 5 times; \(kept.count) answers, all of them kept")
            finding.expect(kept.count > 50, "only \(kept.count) were answered")
            finding.expect(lost.isEmpty, "\(lost.count) answers that clients had are gone")
            try await scene.audit(&finding)
            return finding
        }
    }

    private static func bodyOf(_ answer: [UInt8]) -> [UInt8] {
        guard let end = answer.indices.first(where: { answer[$0...].starts(with: [13, 10, 13, 10]) }) else { return [] }
        return Array(answer[(end + 4)...])
    }
}

extension String {
    fileprivate func components(of text: String) -> Int {
        var (count, rest) = (0, self[...])
        while let range = rest.firstRange(of: text) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
