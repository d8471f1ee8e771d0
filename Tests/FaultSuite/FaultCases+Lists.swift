import Core
import FoundationEssentials
import StandIn
import TestSupport

// What the API may answer instead of a page of titles.

extension FaultCase {
    static let lists: [FaultCase] =
        [
            fatal("HTML instead of JSON", "body=html", .quick),
            fatal("nothing", "body=empty"),
            fatal("noise", "body=garbage"),
            fatal("another JSON object", "body=json"),
            fatal("JSON that ends in the middle", "json=truncated", .quick),
            fatal("an array instead of an object", "json=array"),
            fatal("no results", "json=no-results"),
            fatal("results of null", "json=null-results"),
            fatal("ten megabytes", "json=huge"),
            fatal("an array 100,000 deep", "json=deep"),
            fatal("a length too long", "length=+100"),
            fatal("a length too short", "length=-100"),
            fatal("cut off by half", "truncate=50%"),
            fatal("a body without an end", "endless"),
            fatal("a redirect in a circle", "redirect=loop"),
            fatal("a redirect to a link-local address", "redirect=http://169.254.169.254/", .quick),
            fatal("a redirect to file:", "redirect=file:///etc/hostname"),
            fatal("a megabyte of headers", "header-bomb=1000"),
            fatal("500 again and again", "status=500"),
            fatal("206 unasked", "partial"),
            fatal("304 unasked", "not-modified"),
            fatal("401", "status=401", exit: 4),
            fatal("402", "status=402", exit: 4),
            fatal("429 that asks for no wait", "status=429 retry-after=0", exit: 5),
            fatal("the connection reset", "reset"),

            borne("fields of wrong types", "json=wrong-types"),
            borne("every title twice", "json=duplicates", .quick),
            borne("years 0000 and 9999, and days that do not exist", "json=dates"),
            borne("ten times as many pages as there are", "json=pages"),
            borne("gzip", "gzip"),
            borne("no Content-Type", "type=none"),
            borne("a first answer of 504", "first=1 status=504"),
            borne("a first 429 with Retry-After of a second", "first=1 status=429 retry-after=1"),
            borne("a first 429 with a date", "first=1 status=429 retry-after=date+1"),
        ] + paths + texts

    // MARK: - Answers

    /// The run ends with `exit`, says why in one line, and leaves what there was.
    private static func fatal(_ what: String, _ rule: String, _ pace: Pace = .ordinary, exit: Int32 = 1) -> FaultCase {
        FaultCase(.lists, what, pace) { bench in
            try await bench.withScene { scene in
                var finding = Finding()
                let expected = try await scene.undisturbed()
                let first = try await scene.mirror()
                finding.expect(first.ending, status: 0)
                let before = try await scene.posterity("manifest").output
                try scene.standIn.addFaults("api \(rule)")
                let run = try await scene.mirror("--refresh")
                finding.note("exit \(run.status): \(run.lastWords.prefix(90))")
                finding.expect(run.ending, status: exit)
                finding.expect(run.summary == nil, "it printed a summary")
                finding.expect(run.ending.errors.split(separator: "\n").count <= 3, "more than a few lines: \(run.ending.errors)")
                finding.expect(run.ending.peakMegabytes < 300, "\(run.ending.peakMegabytes) MB of memory")
                finding.expect(try await scene.posterity("manifest").output == before, "the last run's manifest is another")
                try await scene.audit(&finding)
                try await scene.expectRecovery(&finding, to: expected)
                return finding
            }
        }
    }

    /// The run is done in spite of it, and has nothing that an undisturbed one has not.
    private static func borne(_ what: String, _ rule: String, _ pace: Pace = .ordinary) -> FaultCase {
        FaultCase(.lists, what, pace) { bench in
            try await bench.withScene { scene in
                var finding = Finding()
                let expected = try await scene.undisturbed()
                try scene.standIn.addFaults("api \(rule)")
                let run = try await scene.mirror()
                finding.note("exit \(run.status), \(run.summary?.fetched ?? 0) had")
                finding.expect(run.ending, status: 0)
                finding.expect(CacheAudit.objects(in: scene.cache).isSubset(of: expected), "objects that do not belong there")
                try await scene.audit(&finding)
                scene.standIn.removeFaults()
                finding.expect(try await scene.mirror("--refresh").ending, status: 0)
                finding.expect(CacheAudit.objects(in: scene.cache) == expected, "not the objects of an undisturbed run")
                return finding
            }
        }
    }

    // MARK: - Poster paths

    private static let paths: [FaultCase] = [
        FaultCase(.lists, "poster paths that climb, name hosts or carry control characters", .quick) { bench in
            try await bench.withScene(titles: 20) { scene in
                var finding = Finding()
                try scene.standIn.addFaults("api json=traversal")
                let run = try await scene.mirror("--top", "20")
                finding.note("exit \(run.status), \(run.summary?.reasons["bad-path"] ?? 0) refused as bad-path")
                finding.expect(run.ending, status: 3)
                finding.expect(run.reasons.allSatisfy { ["bad-path", "http-404"].contains($0) }, "reasons \(run.reasons)")
                let targets = scene.standIn.requests.filter { $0.area == "images" }.map(\.target)
                let isAstray = { (target: String) in
                    target.contains("//") || target.hasSuffix("/") || target.split(separator: "/").contains("..")
                }
                finding.expect(!targets.contains(where: isAstray), "it asked for \(targets.filter(isAstray))")
                finding.expect(CacheAudit.objects(in: scene.cache).isEmpty, "something was kept")
                try await scene.audit(&finding)
                return finding
            }
        },
        FaultCase(.lists, "poster paths with spaces, accents, ? and #") { bench in
            try await bench.withScene(titles: nil) { scene in
                var finding = Finding()
                try scene.standIn.addFaults("api json=paths")
                let run = try await scene.mirror("--sizes", "w185", "--top", "20")
                finding.note("exit \(run.status), \(run.summary?.fetched ?? 0) had")
                finding.expect(run.ending, status: 0)
                finding.expect((run.summary?.fetched ?? 0) > 0, "none was had")
                try await scene.audit(&finding)
                return finding
            }
        },
    ]

    // MARK: - Texts

    private static let texts: [FaultCase] = [
        FaultCase(.lists, "titles with control characters, escapes, markup and bidirectional overrides", .quick) { bench in
            try await bench.withScene(titles: 20) { scene in
                var finding = Finding()
                // Every picture fails in turn, so that each title is named on the terminal.
                try scene.standIn.addFaults("api json=controls\nimages size=w342 status=403")
                let run = try await scene.posterity("mirror", "--sizes", "w185,w342", "--verbose")
                finding.expect(run, status: 3)
                let manifest = try await scene.posterity("manifest")
                let site = try await scene.posterity("site", "-o", "site")
                finding.expect(site, status: 0)
                let sheet = try await scene.posterity("sheet", "-o", "sheet.png")
                finding.expect(sheet, status: 0)
                for (name, text) in [("the log", run.errors), ("the report", run.output), ("the manifest", manifest.output)] {
                    finding.expect(!text.unicodeScalars.contains(where: isHarmful), "\(name) has characters that can break a terminal")
                }
                let files = (try? FileManager.default.subpathsOfDirectory(atPath: scene.home + "/site")) ?? []
                finding.expect(
                    files.allSatisfy { $0.unicodeScalars.allSatisfy(isPlain) },
                    "file names \(files.filter { !$0.unicodeScalars.allSatisfy(isPlain) })")
                let pages = try await ProgramRun.shell(
                    "cd \"$1\" && find . -name '*.html' -o -name '*.xml' -o -name '*.js' | xargs grep -lF '<script>alert' || true",
                    scene.home + "/site")
                finding.expect(pages.isEmpty, "markup of a title is markup in \(pages)")
                finding.note("log, manifest, site and sheet are clean")
                try await scene.audit(&finding)
                return finding
            }
        }
    ]

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A: false
        case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil || "-_./".unicodeScalars.contains(scalar))
    }
}
