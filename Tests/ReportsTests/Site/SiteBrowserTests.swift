import FoundationEssentials
import Mirroring
import Reports
import TestSupport
import Testing

/// Opens sites in a real browser. Where there is none, `apt-get install chromium` brings it.
@Suite("A site in a browser", .serialized, .enabled(if: Chromium.path != nil, "needs Chromium (scripts/setup browser)"))
struct SiteBrowserTests {
    @Test(
        "Every picture loads, nothing moves, nothing is asked of another host and nothing is complained about",
        arguments: [(320, false), (768, true), (1440, false), (1440, true)])
    func reads(width: Int, isDark: Bool) async throws {
        try await withSiteFixture(widths: [185, 342, 500]) { fixture in
            let earlier = try fixture.run(week: "2026-W47", ids: Array(3..<20))
            let run = try fixture.run(week: "2026-W48", ids: Array(0..<20), without: [9])
            _ = try await fixture.publish(run, earlier: [earlier])
            try await SiteServer.withServer(of: fixture.site) { server in
                let visit = try await PageVisit.visit(server.origin + "/", width: width, isDark: isDark, home: fixture.root)
                #expect(visit.complaints == [])
                #expect(visit.brokenImages == [])
                // Nineteen posters, each over its placeholder.
                #expect(visit.imageCount == 38)
                #expect(visit.layoutShift == 0)
                #expect(visit.overflow == 0)
                #expect(visit.background == (isDark ? "rgb(19, 18, 21)" : "rgb(247, 244, 238)"))
                #expect(visit.requested.count > 20 && visit.requested.allSatisfy { $0.hasPrefix(server.origin + "/") })
                #expect(visit.answers.allSatisfy { $0.status == 200 })
                #expect(server.exchanges.allSatisfy { $0.status == 200 }, "\(server.exchanges.filter { $0.status != 200 })")
                Attachment.record(visit.screenshot, named: "site-\(width)-\(isDark ? "dark" : "light").png")
            }
        }
    }

    @Test("The archive's pages read as well, under friendly file names in every script")
    func archive() async throws {
        try await withSiteFixture { fixture in
            let earlier = try fixture.run(week: "2026-W47", ids: Array(0..<20))
            var options = fixture.options()
            options.layout = try AssetLayout("{rank:03}-{slug}, {width}.{ext}")
            _ = try await fixture.publish(try fixture.run(week: "2026-W48", ids: Array(5..<25)), earlier: [earlier], options: options)
            try await SiteServer.withServer(of: fixture.site) { server in
                let address = server.origin + "/weeks/2026-W47/index.html"
                let visit = try await PageVisit.visit(address, width: 1_024, home: fixture.root)
                #expect(visit.complaints == [] && visit.brokenImages == [] && visit.layoutShift == 0 && visit.imageCount == 40)
            }
        }
    }

    @Test("A page with an inline style, a missing picture, one of another host and one that pushes text down is found out")
    func harnessNotices() async throws {
        try await withTemporaryDirectory { folder in
            let page = """
                <!doctype html><title>t</title><p style="color:red">One</p><img src="gone.png"><img src="http://other.invalid/a.png">
                <img src="late.png" loading="lazy"><p>Pushed down</p>
                """
            try Data(page.utf8).write(to: URL(filePath: folder + "/index.html"))
            try Data(TinyPNG.bytes(width: 300, height: 400, seed: 1)).write(to: URL(filePath: folder + "/late.png"))
            try await SiteServer.withServer(of: folder) { server in
                let visit = try await PageVisit.visit(server.origin + "/", width: 800, home: folder)
                #expect(visit.complaints.contains { $0.contains("inline style") })
                #expect(visit.complaints.contains { $0.contains("other.invalid") })
                #expect(visit.brokenImages.contains { $0.hasSuffix("gone.png") })
                #expect(visit.layoutShift > 0)
                #expect(server.exchanges.contains(SiteServer.Exchange(path: "/gone.png", status: 404)))
            }
        }
    }
}
