import Core
import FoundationEssentials
import Imaging
import Mirroring
import TestSupport
import Testing

@testable import Reports

@Suite("Manifests with numbers that make no sense")
struct HostileManifestTests {
    /// A run of five titles in which nothing numeric is what it should be.
    private func spoil(_ manifest: inout Manifest) {
        let ranks = [Int.min, Int.max, 0, -1, 1]
        let years = [Int.min, Int.max, 0, -44, 1_000_000]
        let scores = [1e300, -1e300, -0.1, 10.1, .greatestFiniteMagnitude]
        for place in manifest.titles.indices {
            manifest.titles[place].rank = ranks[place % 5]
            manifest.titles[place].year = years[place % 5]
            manifest.titles[place].score = scores[place % 5]
        }
        manifest.language = "en\u{0}\u{202E}" + String(repeating: "x", count: 10_000)
    }

    @Test("A score, a year or a rank out of range is none, and the title's place is its rank")
    func vetted() {
        var manifest = SheetFixture.manifest(count: 5)
        #expect(manifest.vetted == manifest)
        spoil(&manifest)
        let vetted = manifest.vetted
        #expect(vetted.titles.map(\.rank) == [1, 2, 3, 4, 1])
        #expect(vetted.titles.allSatisfy { $0.year == nil && $0.score == nil } && vetted.language == "und")
        manifest.titles[0].score = .nan
        #expect(manifest.vetted.titles[0].score == nil)
    }

    @Test("Movement between ranks at both ends of what a number holds is counted without overflow")
    func movements() {
        var (now, before) = (SheetFixture.manifest(count: 5), SheetFixture.manifest(count: 5))
        before.run = "earlier"
        before.week = "2026-W48"
        before.startedAt = now.startedAt.addingTimeInterval(-86_400 * 7)
        now.titles[0].rank = .min
        before.titles[0].rank = .max
        #expect(Movements(of: now, history: [before])[now.titles[0]] == .same)
    }

    @Test("A sheet is drawn all the same, as a picture and as a PDF", arguments: ["s.png", "s.pdf"])
    func sheet(_ name: String) async throws {
        try await withTemporaryDirectory { root in
            var manifest = SheetFixture.manifest(count: 5)
            spoil(&manifest)
            for (place, side) in [Int.min, -1, 0, Int.max, 100_000].enumerated() {
                var poster = SheetFixture.poster(widths: [185])
                poster.sizes["w185"]?.original?.width = side
                poster.sizes["w185"]?.original?.height = side
                manifest.titles[place].poster = poster
            }
            let spoilt = manifest
            let summary = try await Renderer.withRenderer(threads: 1) { renderer in
                try await ContactSheet.write(spoilt, cache: root, to: "\(root)/\(name)", renderer: renderer)
            }
            #expect(summary.titlesWithoutPicture == 5 && summary.lost.count == 5)
        }
    }

    @Test("A site is made all the same, and gives pictures of impossible sizes up for lost")
    func site() async throws {
        try await withSiteFixture { fixture in
            var run = try fixture.run(week: "2026-W48", ids: Array(0..<5))
            var earlier = try fixture.run(week: "2026-W47", ids: Array(0..<5))
            spoil(&run)
            spoil(&earlier)
            earlier.language = run.language
            for (place, side) in [Int.min, -1, 0, Int.max, 100_000].enumerated() {
                run.titles[place].poster?.sizes["w18"]?.renditions[0].width = side
                run.titles[place].poster?.sizes["w34"]?.renditions[0].height = side
                run.titles[place].poster?.sizes["w50"]?.renditions[0].bytes = side
            }
            var options = fixture.options()
            options.maximumMissing = .percent(100)
            options.layout = try AssetLayout("{rank:03}-{slug}-{year}-{width}.{ext}")
            let report = try await fixture.publish(run, earlier: [earlier], options: options)
            #expect(report.missing == 5 && report.lost.count == 5)
            #expect(try JSONText.decode(Manifest.self, from: Data(Array(fixture.text("manifest.json").utf8))) == run)
            // Sizes that are possible but others than the files' are found out too, in a site that has the files already.
            _ = try await fixture.publish(earlier, options: options)
            run = earlier
            for place in run.titles.indices { run.titles[place].poster?.sizes["w18"]?.renditions[0].bytes = 1 << 29 }
            #expect(try await fixture.publish(run, options: options).lost.count == 5)
        }
    }
}
