import Core
import StandIn
import TestSupport

// What an image host may answer. One poster of nine is spoilt: that one is a reason, the others are had, and the next run makes it good.

extension FaultCase {
    static let wire: [FaultCase] =
        [
            spoilt("200 with an HTML page", "body=html", "not-an-image", .quick),
            spoilt("200 with an HTML page called image/jpeg", "body=html type=image/jpeg", "not-an-image"),
            spoilt("200 with JSON", "body=json", "not-an-image"),
            spoilt("200 with nothing", "body=empty", "empty-body", .quick),
            spoilt("200 with noise", "body=garbage", "not-an-image"),
            spoilt("a Content-Length too long", "length=+100", "truncated-transfer"),
            spoilt("a Content-Length too short", "length=-100", "truncated-image"),
            spoilt("cut off by half", "truncate=50%", "truncated-transfer", .quick),
            spoilt("chunked, and cut within a chunk", "cut=50%", "connection-lost", "truncated-transfer"),
            spoilt("an image in gzip, unasked", "gzip", "not-an-image", "bad-response"),
            spoilt("206 unasked", "partial", "http-206"),
            spoilt("304 unasked", "not-modified", "http-304"),
            spoilt("403", "status=403", "http-403"),
            spoilt("404", "status=404", "http-404"),
            spoilt("410", "status=410", "http-410"),
            spoilt("415", "status=415", "http-415"),
            spoilt("500 again and again", "status=500", "http-500"),
            spoilt("503, Retry-After -3", "status=503 retry-after=-3", "http-503"),
            spoilt("429, Retry-After 0", "status=429 retry-after=0", "http-429"),
            spoilt("a redirect in a circle", "redirect=loop", "too-many-redirects", .quick),
            spoilt("a redirect to plain http elsewhere", "redirect=http://img.example.org/a.jpg", "not-allowed"),
            spoilt("a redirect to a private address", "redirect=https://10.0.0.1/a.jpg", "not-allowed"),
            spoilt("a redirect to a link-local address", "redirect=http://169.254.169.254/latest/meta-data/", "not-allowed", .quick),
            spoilt("the same in IPv6's clothes", "redirect=https://[::ffff:169.254.169.254]/", "not-allowed"),
            spoilt("the same as one number", "redirect=https://2852039166/", "not-allowed"),
            spoilt("a redirect to file:", "redirect=file:///etc/hostname", "not-allowed"),
            spoilt("a redirect to gopher:", "redirect=gopher://127.0.0.1:70/x", "not-allowed"),
            spoilt("a redirect to a file that is called “:”", "redirect=:", "http-404"),
            spoilt("a body without an end", "endless", "too-many-bytes", .quick),
            spoilt("a megabyte of headers", "header-bomb=1000", "bad-response"),
            spoilt("the connection reset", "reset", "connection-lost"),

            harmless("no Content-Type", "type=none"),
            harmless("a wrong Content-Type", "type=text/html"),
            harmless("a Content-Type with a charset", "type=image/jpeg;%20charset=utf-8"),
            harmless("no Content-Length", "length=none"),
            harmless("each first answer a 503", "each first=1 status=503", .quick),
            harmless("each first answer a 429 that asks for a second", "each first=1 status=429 retry-after=1"),
            harmless("each first connection reset", "each first=1 reset"),
            harmless("each first answer cut off", "each first=1 truncate=30%"),
            harmless("100 kB a second", "drip=100000"),
            harmless("Cache-Control and Expires of nonsense", "header=Cache-Control:max-age=-1,%20, header=Expires:yesterday"),

            waiting("a slow drip, 100 bytes a second", "drip=100", "too-slow", "timed-out"),
            waiting("a first byte that comes after minutes", "delay=180000", "too-slow", "timed-out"),
        ] + scripted

    // MARK: - By a rule of the stand-in

    private static func spoilt(_ what: String, _ rule: String, _ reasons: String..., pace: Pace = .ordinary) -> FaultCase {
        FaultCase(.wire, what, pace) { bench in
            try await bench.withScene { scene in
                try await spoil(scene, with: rule, reasons: reasons, objects: try await scene.undisturbed())
            }
        }
    }

    private static func spoilt(_ what: String, _ rule: String, _ reason: String, _ pace: Pace) -> FaultCase {
        spoilt(what, rule, reason, pace: pace)
    }

    private static func waiting(_ what: String, _ rule: String, _ reasons: String...) -> FaultCase {
        FaultCase(.wire, what, .waiting) { bench in
            try await bench.withScene { scene in
                try await spoil(scene, with: rule, reasons: reasons, objects: try await scene.undisturbed())
            }
        }
    }

    /// Spoils one poster in one size.
    static func spoil(_ scene: Scene, with rule: String, reasons: [String], objects: Set<String>) async throws -> Finding {
        var finding = Finding()
        try scene.standIn.addFaults("images path=/w342\(try scene.posterPath) \(rule)")
        let run = try await scene.mirror()
        finding.note("exit \(run.status), \(run.reasons.joined(separator: ", "))")
        finding.expect(run.ending, status: 3)
        finding.expect(run.reasons.count == 1 && reasons.contains(run.reasons[0]), "reason \(run.reasons) instead of \(reasons)")
        finding.expect(run.summary?.fetched == 3 * Scene.titles - 1, "the others were not all had")
        finding.expect(run.ending.peakMegabytes < 300, "\(run.ending.peakMegabytes) MB of memory")
        let kept = CacheAudit.objects(in: scene.cache)
        finding.expect(kept.isSubset(of: objects) && kept.count == objects.count - 2, "something of the bad answer was kept")
        try await scene.audit(&finding)
        try await scene.expectRecovery(&finding, to: objects)
        return finding
    }

    /// Does to every picture what the program is to bear.
    private static func harmless(_ what: String, _ rule: String, _ pace: Pace = .ordinary) -> FaultCase {
        FaultCase(.wire, what, pace) { bench in
            try await bench.withScene { scene in
                var finding = Finding()
                let expected = try await scene.undisturbed()
                try scene.standIn.addFaults("images \(rule)")
                let run = try await scene.mirror()
                finding.note("exit \(run.status), all \(run.summary?.fetched ?? 0) had")
                finding.expect(run.ending, status: 0)
                try await scene.expectRecovery(&finding, to: expected)
                return finding
            }
        }
    }

    // MARK: - By a script, for answers that no server's library gives

    private static let scripted: [FaultCase] = [
        answering("an answer that is not HTTP", "220 mail.example.org ESMTP\r\n\r\n", "bad-response", "connection-lost"),
        answering("a status line alone", "HTTP/1.1 200 OK\r\n", "connection-lost", "truncated-transfer", "bad-response", "empty-body"),
        answering("a status that is none", "HTTP/1.1 9999999 What\r\n\r\n", "bad-response", "http-999"),
        answering(
            "two lengths that differ", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\nabcde", "bad-response",
            "not-an-image", "truncated-transfer"),
        answering(
            "a length that is none", "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nabcde", "bad-response", "not-an-image",
            "truncated-transfer"),
        answering(
            "a length beyond all measure", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nabc", "bad-response",
            "too-many-bytes"),
        answering("a length of 4 GB", "HTTP/1.1 200 OK\r\nContent-Length: 4294967296\r\n\r\nabc", "too-many-bytes"),
        answering(
            "a chunk of 4 EB", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3fffffffffffffff\r\nabc", "bad-response",
            "connection-lost", "truncated-transfer"),
        answering(
            "a chunk size that is none", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc", "bad-response", "connection-lost"
        ),
        answering(
            "one header of a megabyte", "HTTP/1.1 200 OK\r\nX: \(String(repeating: "a", count: 1_000_000))\r\n\r\n", "bad-response",
            "connection-lost"),
        answering(
            "a thousand answers of 1xx", String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n", count: 10_000), "bad-response",
            "connection-lost"),
        answering(
            "an upgrade nobody asked for", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
            "bad-response", "connection-lost", "http-101", "truncated-transfer"),
        answering(
            "a control character in a Location", "HTTP/1.1 302 Found\r\nLocation: /\u{1}\u{7F}x\r\nContent-Length: 0\r\n\r\n",
            "not-allowed", "bad-response", "too-many-redirects", "http-302"),
        FaultCase(.wire, "nobody listens") { bench in
            try await allFail(bench, images: "http://127.0.0.1:9/t/p", reasons: ["connection-refused", "host-unavailable"])
        },
    ]

    private static func answering(_ what: String, _ answer: String, _ reasons: String...) -> FaultCase {
        FaultCase(.wire, what) { bench in
            let script: @Sendable (ScriptedServer.Request, ScriptedServer.Connection) -> Bool = { _, connection in
                connection.send(answer)
                return false
            }
            return try await ScriptedServer.withServer(answer: script) { server in
                try await allFail(bench, images: server.url + "/t/p", reasons: reasons + ["host-unavailable"])
            }
        }
    }

    /// A run in which no picture can be had, over a cache that has some of them already.
    static func allFail(_ bench: Bench, images: String, reasons: [String], more: [String: String] = [:]) async throws -> Finding {
        try await bench.withScene(titles: 1) { scene in
            var finding = Finding()
            let expected = try await scene.undisturbed()
            var changes = more
            changes["POSTERITY_IMAGES"] = images
            let run = try await scene.mirror(changes: changes)
            finding.note("exit \(run.status), \(run.reasons.joined(separator: ", "))")
            finding.expect(run.ending, status: 3)
            finding.expect(!run.reasons.isEmpty && Set(run.reasons).isSubset(of: reasons), "reason \(run.reasons) instead of \(reasons)")
            finding.expect(CacheAudit.objects(in: scene.cache).isEmpty, "something of the bad answer was kept")
            finding.expect(run.ending.peakMegabytes < 300, "\(run.ending.peakMegabytes) MB of memory")
            try await scene.audit(&finding)
            try await scene.expectRecovery(&finding, to: expected)
            return finding
        }
    }
}
