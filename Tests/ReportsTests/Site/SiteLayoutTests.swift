import Core
import FoundationEssentials
import Mirroring
import TestSupport
import Testing

@testable import Reports

@Suite("Data and pictures without pages, under names of one's choice")
struct SiteLayoutTests {
    @Test("Data alone is posters.json and assets, and every picture that it names is there")
    func dataOnly() async throws {
        try await withSiteFixture { fixture in
            var options = fixture.options()
            options.isDataOnly = true
            options.layout = try AssetLayout("{rank:03}-{slug}-{width}.{ext}")
            let run = try fixture.run(week: "2026-W48", ids: Array(0..<20), without: [9])
            _ = try await fixture.publish(run, earlier: [try fixture.run(week: "2026-W47", ids: [1, 0])], options: options)
            let top = try FileManager.default.contentsOfDirectory(atPath: fixture.site).sorted()
            #expect(top == [".posterity-site", "assets", "posters.json"])
            let data = try JSONText.decode(DevToolsValue.self, from: Array(try fixture.text("posters.json").utf8))
            #expect(data["version"]?.number == 1 && data["weeks"]?.list.count == 2)
            let titles = data["weeks"]?.list[0]["titles"]?.list ?? []
            #expect(titles.count == 20)
            #expect(titles[0]["movement"]?["kind"]?.text == "up" && titles[0]["movement"]?["places"]?.number == 1)
            #expect(titles[1]["lang"]?.text == "und-Arab" && titles[1]["dir"]?.text == "rtl")
            #expect(titles[9]["pictures"]?.list.isEmpty == true && titles[9]["missing"]?.text == "no-poster")
            for picture in titles.flatMap({ $0["pictures"]?.list ?? [] }) {
                let path = SiteServer.decoded(try #require(picture["src"]?.text))
                let content = try #require(FileManager.default.contents(atPath: fixture.site + "/" + path))
                #expect(picture["bytes"]?.number == Double(content.count))
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: fixture.site + "/assets")
            #expect(names.count == 57 && names.contains("001-the-lantern-keepers-18.png") && names.contains("004-灯台守の娘-50.png"))
        }
    }

    @Test("Names are unique on file systems that fold case and normalise, and are cut between characters")
    func uniqueNames() throws {
        var namer = AssetNamer(layout: try AssetLayout("{slug}.{ext}"))
        let titles = [
            "Café", "CAFÉ", "Cafe\u{301}", "Straße", "STRASSE", "con", "aux", String(repeating: "👩‍🚀é字", count: 60), "...", "",
            "  Dots. and spaces. . ", "a/b\\c:d*e?f\"g<h>i|j", "-rf", "NUL.",
        ]
        let names = titles.enumerated().map { namer.name(of: picture($0), title: title($1, id: $0), week: week()) }
        #expect(names.prefix(7) == ["café.png", "café-2.png", "cafe\u{301}-3.png", "straße.png", "strasse-2.png", "_con.png", "_aux.png"])
        #expect(names[8...] == ["title-8.png", "title-9.png", "dots-and-spaces.png", "a-b-c-d-e-f-g-h-i-j.png", "rf.png", "_nul.png"])
        #expect(Set(names.map { $0.uppercased().lowercased() }).count == names.count)
        #expect(names.allSatisfy { $0.utf8.count <= 200 && $0.hasSuffix(".png") })
        #expect(names[7].utf8.count > 180 && !names[7].contains("\u{FFFD}"))
    }

    @Test("A name is safe whatever the template puts around it")
    func safeNames() {
        #expect(FileName.safe(stem: "COM1.old", suffix: "", fileExtension: "jpg") == "_COM1.old.jpg")
        #expect(FileName.safe(stem: "lpt²", suffix: "", fileExtension: "jpg") == "_lpt².jpg")
        #expect(FileName.safe(stem: "console", suffix: "", fileExtension: "jpg") == "console.jpg")
        #expect(FileName.safe(stem: " .hidden. ", suffix: "-2", fileExtension: "webp") == "hidden-2.webp")
        #expect(FileName.safe(stem: "a\u{0}b\u{202E}c/d", suffix: "", fileExtension: "jpg") == "a-b-c-d.jpg")
        let long = FileName.safe(stem: String(repeating: "é", count: 300), suffix: "-12", fileExtension: "webp")
        #expect(long.utf8.count <= 200 && long.hasSuffix("é-12.webp"))
    }

    @Test(
        "In ASCII letters lose their marks or are spelt out",
        arguments: [
            ("Amélie à l’été", "Amelie a lete"), ("Ærøskøbing Łódź", "AEroskobing Lodz"), ("Straße", "Strasse"),
            ("Вечер на острове", "vecher na ostrove"), ("Τα νησιά", "ta nisia"), ("さくら", "sakura"), ("달빛", "dalbic"), ("夜航船", ""),
            ("e\u{301}", "e"), ("Ｆｕｌｌ", "Full"), ("١٢", "12"),
        ])
    func ascii(text: String, expected: String) {
        let ascii = Transliteration.ascii(text)
        #expect(ascii.lowercased() == expected.lowercased() && ascii.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test(
        "A template that cannot name files is refused with what is allowed",
        arguments: [
            "", "{rank}", "{slug}{ext}", "{nothing}.{ext}", "{slug:3}.{ext}", "{rank:0}.{ext}", "{rank:99}.{ext}", "a/{slug}.{ext}",
            "{slug.{ext}",
            "{ext}.{slug}", "a}b.{ext}", "..\\{slug}.{ext}", "{rank:x}.{ext}",
        ])
    func badTemplates(template: String) {
        #expect(throws: SiteError.self) { try AssetLayout(template) }
    }

    // MARK: - Private

    private func picture(_ seed: Int) -> SitePicture {
        SitePicture(
            Manifest.Rendition(
                recipe: "", path: "objects/x.png", digest: Digest(of: [UInt8(seed)]), bytes: 1, width: 18, height: 27,
                mediaType: "image/png"))
    }

    private func title(_ text: String, id: Int) -> SiteModel.Title {
        SiteModel.Title(
            record: Manifest.Title(
                rank: 1, list: "movie/popular", id: id, mediaType: "movie", title: text, year: nil, score: nil, poster: nil, missing: nil),
            name: DisplayText(text, expectedLanguage: "en"), movement: nil, isNew: false, colour: nil, placeholder: nil, pictures: [],
            lost: [], anchor: "movie-\(id)", score: nil, details: nil)
    }

    private func week() -> SiteModel.Week {
        SiteModel.Week(
            manifest: Manifest(
                run: "r", lists: [], language: "en", week: "2026-W48", startedAt: Date(timeIntervalSince1970: 0),
                finishedAt: Date(timeIntervalSince1970: 0), complete: true, sizes: [], titles: []),
            lists: [], hasHistory: false)
    }
}
