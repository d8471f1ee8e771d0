import Core
import FoundationEssentials
import Imaging
import Mirroring
import TestSupport
import Testing

@testable import Reports

@Suite("Details in reports")
struct DetailsReportTests {
    private func title(_ ratings: [ScoreSource: Double], score: Double? = 6.25) -> Manifest.Title {
        var title = SheetFixture.manifest(count: 1).titles[0]
        title.score = score
        title.details = Manifest.Details(
            fetchedAt: SheetFixture.week, runtimeMinutes: 104, genres: ["Drama"],
            ratings: Manifest.Ratings(ratings.mapValues { Manifest.Rating(value: $0, votes: 3) }), directors: nil, cast: nil)
        return title
    }

    // MARK: - Scores

    @Test(
        "The score asked for is shown, else the next in order, and it says whose it is, in its own scale",
        arguments: [
            (nil, [.imdb: 7.94, .rottenTomatoes: 87], "IMDb 7.9"), (.rottenTomatoes, [.imdb: 7.94, .rottenTomatoes: 87], "RT 87\u{A0}%"),
            (.rottenTomatoes, [.imdb: 7.94], "IMDb 7.9"), (.imdb, [.tmdb: 10, .kinopoisk: 3], "TMDB 10.0"),
            (.imdb, [.kinopoisk: 0.04, .metacritic: 50], "Kinopoisk 0.0"),
            (.tmdb, [.metacritic: 74, .rottenTomatoes: 100], "RT 100\u{A0}%"),
            (.kinopoisk, [.metacritic: 73.6], "Metacritic 74"), (.imdb, [:], "★ 6.3"), (nil, [:], "★ 6.3"),
        ] as [(ScoreSource?, [ScoreSource: Double], String)])
    func order(preferred: ScoreSource?, ratings: [ScoreSource: Double], text: String) {
        #expect(Score(of: title(ratings), preferring: preferred)?.text == text)
    }

    @Test("A title that nobody has rated has no score, and one without details the list's own")
    func none() {
        #expect(Score(of: title([:], score: nil), preferring: .imdb) == nil)
        var plain = title([:])
        plain.details = nil
        #expect(Score(of: plain, preferring: .tmdb)?.source == nil && Score(of: plain, preferring: .tmdb)?.number == "6.3")
    }

    @Test("Numbers that make no sense are none, and there are never more names than anybody reads")
    func vetted() {
        var manifest = SheetFixture.manifest(count: 2).detailed()
        #expect(manifest.vetted == manifest)
        let many = (0..<5_000).map { "N\($0)" }
        for (place, value) in [Double.nan, 1e300].enumerated() {
            manifest.titles[place].details = Manifest.Details(
                fetchedAt: SheetFixture.week, runtimeMinutes: [Int.min, Int.max][place], genres: many,
                ratings: Manifest.Ratings([
                    .imdb: Manifest.Rating(value: value, votes: .min), .metacritic: Manifest.Rating(value: -1, votes: 1),
                ]),
                directors: many, cast: many.map { Manifest.Role(name: $0, character: nil) })
        }
        manifest.titles[0].details?.ratings?[.tmdb] = Manifest.Rating(value: 7, votes: .min)
        #expect(manifest.vetted.titles[0].details?.ratings?[.tmdb] == Manifest.Rating(value: 7, votes: nil))
        for title in manifest.vetted.titles {
            let details = title.details
            #expect(details?.runtimeMinutes == nil && details?.ratings?[.imdb] == nil && details?.ratings?[.metacritic] == nil)
            #expect(details?.genres.count == 10 && details?.directors?.count == 10 && details?.cast?.count == 10)
        }
    }

    // MARK: - The site

    @Test("Cards say runtime, genres, who made it and whose score it is; the first title its cast as well")
    func cards() async throws {
        try await withSiteFixture(widths: [185, 500]) { fixture in
            let run = try fixture.run(week: "2026-W48", ids: Array(0..<20)).detailed()
            _ = try await fixture.publish(run)
            let page = try fixture.text("index.html")
            for words in ["IMDb 7.9", "60\u{A0}min", "Directed by <bdi", "With <bdi", "Ines Okonjo-Lindqvist", "(Rotten Tomatoes) "] {
                #expect(page.contains(words), "\(words)")
            }
            #expect(page.contains("&lt;b&gt;Bo&lt;/b&gt; &amp; Co") && !page.contains("<b>Bo") && !page.contains("\u{202E}"))
            #expect(page.matches(of: #/<bdi[^>]*><\/bdi>/#).isEmpty, "an empty name is left out")
            var options = fixture.options()
            options.score = .rottenTomatoes
            _ = try await fixture.publish(run, options: options)
            let other = try fixture.text("index.html")
            #expect(other.contains("RT <span") && other.contains("87\u{A0}%") && !other.contains("IMDb"))
        }
    }

    @Test("HTML Tidy has nothing to say of them", .enabled(if: Tool.isInstalled("tidy"), "needs tidy (apt-get install tidy)"))
    func tidy() async throws {
        try await withSiteFixture(widths: [185, 500]) { fixture in
            _ = try await fixture.publish(try fixture.run(week: "2026-W48", ids: Array(0..<20)).detailed())
            let said = try await Tool.outcome(
                of: "tidy", ["-q", "-e", "--warn-proprietary-attributes", "no", fixture.site + "/index.html"])
            #expect(said.allText == "" && said.status == 0)
        }
    }

    @Test("Feeds tell them as text, and posters.json as data")
    func feedsAndData() async throws {
        try await withSiteFixture { fixture in
            let run = try fixture.run(week: "2026-W48", ids: Array(0..<6)).detailed()
            _ = try await fixture.publish(run)
            let feed = try JSONText.decode(DevToolsValue.self, from: Array(try fixture.text("feed.json").utf8))
            let first = try #require(feed["items"]?.list.first?["content_html"]?.text)
            #expect(first.contains("IMDb 7.9") && first.contains("60\u{A0}min · Drama, Fable · directed by Ines Okonjo-Lindqvist · with "))
            #expect(try fixture.text("feed.xml").contains("directed by Ines Okonjo-Lindqvist"))

            var options = fixture.options()
            options.isDataOnly = true
            options.directory = fixture.root + "/data"
            _ = try await fixture.publish(run, options: options)
            let text = try String(contentsOfFile: fixture.root + "/data/posters.json", encoding: .utf8)
            let titles = try JSONText.decode(DevToolsValue.self, from: Array(text.utf8))["weeks"]?.list[0]["titles"]?.list ?? []
            #expect(titles[0]["shownScore"]?["source"]?.text == "imdb" && titles[0]["shownScore"]?["text"]?.text == "IMDb 7.9")
            #expect(titles[0]["shownScore"]?["scale"]?.number == 10)
            #expect(titles[0]["details"]?["runtimeMinutes"]?.number == 60 && titles[0]["details"]?["cast"]?.list.count == 5)
            #expect(titles[0]["details"]?["ratings"]?["rotten_tomatoes"]?["value"]?.number == 87)
            #expect(titles[0]["details"]?["ratings"]?["kinopoisk"] == nil)
            #expect(titles[4]["details"] == nil && titles[4]["shownScore"]?["source"]?.text == "list")
        }
    }

    @Test(
        "In a browser they widen no page and complain of nothing",
        .enabled(if: Chromium.path != nil, "needs Chromium (scripts/setup browser)"),
        arguments: [(320, false), (1440, true)])
    func browser(width: Int, isDark: Bool) async throws {
        try await withSiteFixture(widths: [185, 342, 500]) { fixture in
            _ = try await fixture.publish(try fixture.run(week: "2026-W48", ids: Array(0..<20)).detailed())
            try await SiteServer.withServer(of: fixture.site) { server in
                let visit = try await PageVisit.visit(server.origin + "/", width: width, isDark: isDark, home: fixture.root)
                #expect(visit.complaints == [] && visit.layoutShift == 0 && visit.overflow == 0)
                Attachment.record(visit.screenshot, named: "details-\(width)-\(isDark ? "dark" : "light").png")
            }
        }
    }

    // MARK: - The sheet

    @Test("A sheet has a line more for a run with details, whatever a single title lacks, and none without")
    func height() throws {
        let plain = SheetFixture.manifest(count: 5)
        let cell = try SheetPlan(plain, options: SheetOptions()).metrics.cell
        let detailed = try SheetPlan(plain.detailed(), options: SheetOptions()).metrics.cell
        #expect(detailed.height == cell.height + cell.factsLine)
        let short = SheetOptions(captions: .title)
        let shortest = try SheetPlan(plain, options: short).metrics.cell.height
        #expect(try SheetPlan(plain.detailed(), options: short).metrics.cell.height == shortest)
    }

    @Test(
        "On paper every title says whose score it is, how long it runs and who made it",
        .enabled(if: Poppler.isInstalled, "needs poppler-utils (apt-get install poppler-utils)"),
        arguments: [nil, .rottenTomatoes] as [ScoreSource?])
    func paper(score: ScoreSource?) async throws {
        try await withRenderer { root, renderer in
            let manifest = SheetFixture.manifest(count: 4, names: ["One", "שתיים", "Three", "Four"]).detailed()
            _ = try await ContactSheet.write(
                manifest, cache: root, options: SheetOptions(columns: 2, score: score), to: root + "/s.pdf", renderer: renderer)
            let text = try await Poppler.text(of: root + "/s.pdf").replacing("\u{A0}", with: " ")
            for words in ["RT 41 %", "60 min", "·", "Ines Okonjo-Lindqvist", score == nil ? "IMDb 7.9" : "RT 87 %", "Kinopoisk 6.5"] {
                #expect(text.contains(words), "\(words) in \(text)")
            }
        }
    }

    @Test("Names that no cell is wide enough for stay within it", arguments: [40.0, 61, 185])
    func narrow(width: Double) async throws {
        try await withRenderer { root, renderer in
            let manifest = SheetFixture.manifest(count: 9).detailed()
            let options = SheetOptions(columns: 3, cellWidth: width, gap: 30)
            _ = try await ContactSheet.write(manifest, cache: root, options: options, to: root + "/s.png", renderer: renderer)
            let metrics = try SheetPlan(manifest, options: options).metrics
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: root + "/s.png")))
            let header = try await renderer.header(of: bytes)
            let pixels = try await renderer.pixels(
                of: bytes, recipe: Recipe("inside,\(header.widthPixels)x\(header.heightPixels),radius=0,png"))
            // The middle of each gap is blank, from below the heading on.
            for column in 0..<2 {
                let x = Int(metrics.x(ofColumn: column) + width + 15)
                let top = Int(metrics.margin + metrics.heading.height + metrics.heading.space)
                let ink = (top..<pixels.heightPixels).filter { y in pixels.rgba[(y * pixels.widthPixels + x) * 4] < 200 }
                #expect(ink.isEmpty, "column \(column)")
            }
        }
    }
}
