import Core
import FoundationEssentials
import Mirroring
import TestSupport
import Testing

@testable import Reports

@Suite("A site's pages")
struct SitePageTests {
    @Test("A hostile title is text wherever it stands, and cannot turn what stands beside it around")
    func hostileTitles() async throws {
        try await withSiteFixture { fixture in
            _ = try await fixture.publish(try fixture.run(week: "2026-W48", ids: Array(0..<20)))
            let page = try fixture.text("index.html")
            #expect(!page.contains("<script") && !page.contains("<img src=x") && !page.contains("onerror=alert(1)>"))
            #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
            #expect(page.contains("&#39; onmouseover=&#39;alert(1)"))
            for path in ["index.html", "feed.xml", "feed.json", "manifest.json"] {
                let scalars = try fixture.text(path).unicodeScalars
                #expect(!scalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" }, "\(path)")
                guard path != "manifest.json" else { continue }
                #expect(!scalars.contains { (0x202A...0x202E).contains($0.value) || $0.value == 0xFFFE }, "\(path)")
            }
        }
    }

    @Test("A page has no script, no style of its own, and names no other host")
    func strictPolicy() async throws {
        try await withSiteFixture { fixture in
            let earlier = try fixture.run(week: "2026-W47", ids: Array(0..<10))
            _ = try await fixture.publish(try fixture.run(week: "2026-W48", ids: Array(0..<20), without: [9]), earlier: [earlier])
            for path in ["index.html", "weeks/2026-W48/index.html", "weeks/2026-W47/index.html"] {
                let page = try fixture.text(path)
                for forbidden in ["<script", "<style", "style=\"", "http://", "https://", "src=\"//", "javascript:"] {
                    #expect(!page.contains(forbidden), "\(forbidden) in \(path)")
                }
            }
            let stylesheet = try #require(SiteFixture.contents(of: fixture.site).keys.first { $0.hasSuffix(".css") })
            #expect(!(try fixture.text(stylesheet)).contains("url("))
        }
    }

    @Test("HTML Tidy has nothing to say", .enabled(if: Tool.isInstalled("tidy"), "needs tidy (apt-get install tidy)"))
    func tidy() async throws {
        try await withSiteFixture { fixture in
            let earlier = try fixture.run(week: "2026-W47", ids: Array(0..<10))
            var options = fixture.options()
            options.baseURL = try SiteAddress("https://films.example/weekly")
            _ = try await fixture.publish(
                try fixture.run(week: "2026-W48", ids: Array(0..<20), without: [9]), earlier: [earlier], options: options)
            for path in ["index.html", "weeks/2026-W47/index.html"] {
                // Tidy 5.6 is older than loading, decoding, fetchpriority and aria-current; all else it knows.
                let said = try await Tool.outcome(
                    of: "tidy", ["-q", "-e", "--warn-proprietary-attributes", "no", fixture.site + "/" + path])
                #expect(said.allText == "" && said.status == 0)
            }
        }
    }

    @Test("Pictures come in the run's widths, with their size; the first are eager and the rest wait")
    func pictures() async throws {
        try await withSiteFixture { fixture in
            let run = try fixture.run(week: "2026-W48", ids: Array(0..<20))
            _ = try await fixture.publish(run)
            let page = try fixture.text("index.html")
            let posters = page.matches(of: #/<img class="poster"[^>]*>/#).map { String($0.output) }
            #expect(posters.count == 20)
            let renditions = try ["w18", "w34", "w50"].map { try #require(run.titles[0].poster?.sizes[$0]?.renditions.first) }
            let sources = renditions.map { "assets/\($0.digest.hex).png \($0.width)w" }.joined(separator: ", ")
            #expect(posters[0].contains("srcset=\"\(sources)\""))
            #expect(posters.allSatisfy { $0.contains("sizes=\"(min-width") && $0.contains("width=\"50\" height=\"75\"") })
            #expect(
                posters.allSatisfy {
                    $0.contains($0.contains("loading=\"lazy\"") ? "decoding=\"async\"" : "decoding=\"sync\"")
                        && $0.contains("alt=\"Poster of ")
                })
            #expect(posters.filter { $0.contains("fetchpriority=\"high\"") } == [posters[0]])
            #expect(posters.prefix(8).allSatisfy { $0.contains("loading=\"eager\"") })
            #expect(posters.dropFirst(8).allSatisfy { $0.contains("loading=\"lazy\"") })
        }
    }

    @Test("Several formats of one recipe become sources, the plainest the picture itself; another recipe is left out")
    func formats() async throws {
        try await withSiteFixture { fixture in
            var run = try fixture.run(week: "2026-W48", ids: [1])
            let png = try #require(run.titles[0].poster?.sizes["w50"]?.renditions.first)
            var webp = png
            webp.recipe = png.recipe.replacing("png", with: "webp,q=80")
            webp.mediaType = "image/webp"
            var square = png
            square.recipe = "cover,50x50,png"
            run.titles[0].poster?.sizes = ["w50": Manifest.Size(original: nil, renditions: [webp, square, png])]
            let poster = try #require(run.titles[0].poster)
            let sets = PictureSet.sets(of: poster, sizes: run.sizes) { _ in true }.sets
            #expect(sets.map(\.mediaType) == ["image/webp", "image/png"])
            #expect(sets.map(\.pictures.count) == [1, 1])
        }
    }

    @Test("Movement is a sign for the eye and words for the ear, and a first run has none")
    func movement() async throws {
        try await withSiteFixture { fixture in
            let weeks = try [("2026-W46", [7, 0, 1, 2]), ("2026-W47", [0, 1, 2, 3])].map { try fixture.run(week: $0, ids: $1) }
            let run = try fixture.run(week: "2026-W48", ids: [1, 0, 7, 9])
            _ = try await fixture.publish(run)
            #expect(!(try fixture.text("index.html")).contains("class=\"mark"))
            _ = try await fixture.publish(run, earlier: weeks)
            let page = try fixture.text("index.html")
            let words = page.matches(of: #/class="mark ([a-z]+)".*?class="unseen">([^<]*)</#).map { "\($0.output.1): \($0.output.2)" }
            #expect(words == ["up: Up 1 place", "down: Down 1 place", "back: Back in the list", "new: New this week"])
            var options = fixture.options()
            options.showsMovement = false
            _ = try await fixture.publish(run, earlier: weeks, options: options)
            #expect(!(try fixture.text("index.html")).contains("class=\"mark"))
        }
    }

    @Test("The archive has the last run of each week, newest first, of the same lists, and no more weeks than asked for")
    func archive() async throws {
        try await withSiteFixture { fixture in
            var interrupted = try fixture.run(week: "2026-W47", ids: [1])
            interrupted.complete = false
            interrupted.startedAt += 3_600
            interrupted.run = "later"
            let earlier = [
                try fixture.run(week: "2026-W45", ids: [1, 2]), try fixture.run(week: "2026-W46", ids: [2, 3]), interrupted,
                try fixture.run(week: "2026-W47", ids: [3, 4]), try fixture.run(week: "2026-W49", ids: [3, 4]),
                try fixture.run(week: "2026-W44", ids: [3, 4], list: "tv/popular"),
            ]
            var options = fixture.options()
            let run = try fixture.run(week: "2026-W48", ids: [4, 5])
            #expect(try await fixture.publish(run, earlier: earlier, options: options).weeks == 4)
            let links = try fixture.text("index.html").matches(of: #/<li><a href="([^"]*html)"/#).map { String($0.output.1) }
            #expect(links == ["index.html", "weeks/2026-W47/index.html", "weeks/2026-W46/index.html", "weeks/2026-W45/index.html"])
            #expect(try fixture.text("weeks/2026-W47/index.html").contains("2 titles"))
            options.weeks = 2
            #expect(try await fixture.publish(run, earlier: earlier, options: options).weeks == 2)
            #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.site + "/weeks").sorted() == ["2026-W47", "2026-W48"])
        }
    }

    @Test("Number 1 is drawn large only from a picture that has the pixels", arguments: [(185, false), (342, false), (500, true)])
    func lead(widest: Int, isLarge: Bool) async throws {
        try await withSiteFixture(widths: [92, widest]) { fixture in
            _ = try await fixture.publish(try fixture.run(week: "2026-W48", ids: [1, 2]))
            #expect(try fixture.text("index.html").contains("class=\"card lead\"") == isLarge)
        }
    }

    @Test("Each list is a section with its own heading, and no id stands twice")
    func lists() async throws {
        try await withSiteFixture(widths: [500]) { fixture in
            var run = try fixture.run(week: "2026-W48", ids: [1, 2, 3])
            let other = try fixture.run(week: "2026-W48", ids: [3, 4], list: "movie/top_rated")
            run.lists += other.lists
            run.titles += other.titles
            _ = try await fixture.publish(run)
            let page = try fixture.text("index.html")
            #expect(page.matches(of: #/<h2 id="[^"]*">([^<]*)</#).map { String($0.output.1) } == ["Trending movies", "Top rated movies"])
            let ids = page.matches(of: #/ id="([^"]*)"/#).map { String($0.output.1) }
            #expect(Set(ids).count == ids.count && ids.contains("movie-3") && ids.contains("movie-3-more"))
            #expect(page.matches(of: #/class="card lead"/#).count == 1)
        }
    }

    @Test(
        "A title's language is the run's when its script may be that language's, else what the script tells; direction is its first letter's",
        arguments: [
            ("Driftwood", "en-US", "en-US", false), ("أغنية", "en-US", "und-Arab", true), ("أغنية", "ar-SA", "ar-SA", true),
            ("השיר של", "en-US", "he", true), ("灯台守の娘", "en-US", "ja", false), ("夜航船", "en-US", "und-Hani", false),
            ("夜航船", "zh-CN", "zh-CN", false), ("달빛", "de-DE", "ko", false), ("Вечер", "uk-UA", "uk-UA", false),
            ("Вечер", "en-US", "und-Cyrl", false), ("Driftwood", "ru-RU", "und-Latn", false), ("2046: הסרט", "en-US", "he", true),
            ("300", "fr-FR", "fr-FR", false), ("🎬", "en-US", "en-US", false), ("Amélie (أميلي)", "fr-FR", "fr-FR", false),
        ])
    func languages(title: String, asked: String, language: String, isRightToLeft: Bool) {
        let text = DisplayText(title, expectedLanguage: asked)
        #expect(text.language == language && text.isRightToLeft == isRightToLeft)
    }

    @Test("Text to show is on one line, without controls and without characters that turn direction")
    func cleaned() {
        #expect(DisplayText.cleaned("  a\n\tb\u{0}c\u{202E}d\u{2066}e\u{FEFF}\u{85} ") == "a bcde")
        // Towers of marks are cut to what scripts need, and endless texts to what can be read.
        #expect(
            DisplayText.cleaned("Z" + String(repeating: "\u{301}", count: 5_000) + "a\u{302}") == "Z\u{301}\u{301}\u{301}\u{301}a\u{302}")
        #expect(DisplayText.cleaned(String(repeating: "x", count: 100_000)).count == 501)
        // What letters need to join and vowels to attach stays.
        #expect(DisplayText.cleaned("می\u{200C}خواهم 👩\u{200D}🚀 e\u{301}") == "می\u{200C}خواهم 👩\u{200D}🚀 e\u{301}")
    }

    @Test(
        "A week is written with its days",
        arguments: [
            ("2026-W48", "23–29 November 2026"), ("2026-W49", "30 November – 6 December 2026"),
            ("2026-W53", "28 December 2026 – 3 January 2027"), ("2024-W09", "26 February – 3 March 2024"),
            ("2026-W01", "29 December 2025 – 4 January 2026"),
        ])
    func weeks(text: String, days: String) throws {
        #expect(try #require(WeekName(text)).days == days)
    }

    @Test(
        "A list's heading is its path in words",
        arguments: [
            ("trending/movie/week", "Trending movies"), ("trending/tv/day", "Trending series"), ("movie/now_playing", "Movies now playing"),
            ("tv/top_rated", "Top rated series"), ("trending/all/week", "Trending titles"), ("some/odd_list", "Some odd_list"),
        ])
    func headings(path: String, heading: String) {
        #expect(ListName.heading(of: path) == heading)
    }
}
