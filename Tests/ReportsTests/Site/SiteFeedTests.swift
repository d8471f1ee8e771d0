import Core
import FoundationEssentials
import Mirroring
import TestSupport
import Testing

@testable import Reports

@Suite("A site's feeds")
struct SiteFeedTests {
    @Test("The feeds tell of the week's new titles alone; those of a first run are all new")
    func newOnes() async throws {
        try await withSiteFixture { fixture in
            let last = try fixture.run(week: "2026-W47", ids: [0, 1, 2, 3])
            _ = try await fixture.publish(last)
            #expect(try json(fixture)["items"]?.list.count == 4)
            _ = try await fixture.publish(try fixture.run(week: "2026-W48", ids: [13, 1, 14, 3]), earlier: [last])
            #expect(try json(fixture)["items"]?.list.map { $0["title"]?.text } == ["Driftwood", "Night Bus 42"])
            #expect(try fixture.text("feed.xml").matches(of: #/<entry>/#).count == 2)
        }
    }

    @Test("With an address every link is absolute and ids are tag URIs; without one ids are UUIDs and JSON Feed has no links")
    func addresses() async throws {
        try await withSiteFixture { fixture in
            let run = try fixture.run(week: "2026-W48", ids: [0, 1, 7])
            _ = try await fixture.publish(run)
            let plain = try json(fixture)
            #expect(plain["home_page_url"] == nil && plain["items"]?.list[0]["url"] == nil && plain["items"]?.list[0]["image"] == nil)
            let uuid = try #require(plain["items"]?.list[0]["id"]?.text)
            #expect(uuid.wholeMatch(of: #/urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/#) != nil)

            var options = fixture.options()
            options.baseURL = try SiteAddress("HTTPS://Films.Example:8443/weekly")
            _ = try await fixture.publish(run, options: options)
            let feed = try json(fixture)
            #expect(feed["version"]?.text == "https://jsonfeed.org/version/1.1")
            #expect(feed["home_page_url"]?.text == "https://films.example:8443/weekly/")
            #expect(feed["feed_url"]?.text == "https://films.example:8443/weekly/feed.json")
            for item in feed["items"]?.list ?? [] {
                #expect(item["url"]?.text?.hasPrefix("https://films.example:8443/weekly/weeks/2026-W48/index.html#movie-") == true)
                #expect(item["image"]?.text?.hasPrefix("https://films.example:8443/weekly/assets/") == true)
                #expect(item["id"]?.text?.hasPrefix("tag:films.example,2026-11-23:weekly/") == true)
                #expect(item["content_html"]?.text?.isEmpty == false)
                #expect(item["date_published"]?.text.flatMap { Date(iso8601: $0) } != nil)
            }
            let addresses = try fixture.text("feed.xml").matches(of: #/href="([^"]*)"/#).map(\.output.1)
            #expect(addresses.count == 5 && addresses.allSatisfy { $0.hasPrefix("https://films.example:8443/weekly/") })
        }
    }

    @Test("An entry's id does not change with its rank, its title or the week's second run")
    func stableIDs() async throws {
        try await withSiteFixture { fixture in
            _ = try await fixture.publish(try fixture.run(week: "2026-W48", ids: [0, 1]))
            let first = try json(fixture)["items"]?.list.map { $0["id"]?.text } ?? []
            var again = try fixture.run(week: "2026-W48", ids: [1, 0])
            again.startedAt += 7_200
            again.titles[0].title = "Renamed"
            _ = try await fixture.publish(again)
            let second = try json(fixture)["items"]?.list.map { $0["id"]?.text } ?? []
            #expect(Set(first).count == 2 && second == first.reversed())
        }
    }

    @Test(
        "Atom is well-formed with all that RFC 4287 asks for",
        .enabled(if: Tool.isInstalled("xmllint"), "needs xmllint (apt-get install libxml2-utils)"))
    func atom() async throws {
        try await withSiteFixture { fixture in
            _ = try await fixture.publish(try fixture.run(week: "2026-W48", ids: Array(0..<20), without: [9]))
            let file = fixture.site + "/feed.xml"
            let checked = try await Tool.outcome(of: "xmllint", ["--noout", "--nonet", file])
            #expect(checked.status == 0 && checked.allText == "")
            func count(_ path: String) async throws -> String {
                let names = path.replacing(#/[a-z]+/#) {
                    "*[local-name()='\($0.output)' and namespace-uri()='http://www.w3.org/2005/Atom']"
                }
                let said = try await Tool.outcome(of: "xmllint", ["--xpath", "count(\(names))", file])
                return said.allText.trimmingPrefix(while: \.isWhitespace).prefix(while: \.isNumber).description
            }
            for once in ["/feed/id", "/feed/title", "/feed/updated", "/feed/author/name"] {
                #expect(try await count(once) == "1", "\(once)")
            }
            for each in ["id", "title", "updated", "published", "link", "content"] {
                #expect(try await count("/feed/entry/\(each)") == "20", "\(each)")
            }
            let distinct = Set(try fixture.text("feed.xml").matches(of: #/<id>([^<]*)</id>/#).map { String($0.output.1) })
            #expect(distinct.count == 21)
        }
    }

    @Test(
        "An address that cannot be a site's is refused",
        arguments: [
            "films.example", "ftp://films.example/", "https://", "https:///x", "https://a b/", "https://x.example/?q",
            "https://u@x.example/", "https://x.example:99999/",
        ])
    func badAddress(text: String) {
        #expect(throws: SiteError.self) { try SiteAddress(text) }
    }

    @Test("A host beyond ASCII is asked for as punycode, without naming the flag, which the command line names itself")
    func internationalHost() {
        let error = #expect(throws: SiteError.self) { try SiteAddress("https://kinoprogramm-köln.example/") }
        #expect(error?.description.hasPrefix("\"https://kinoprogramm-köln.example/\" is not") == true)
        #expect(error?.description.contains("xn--") == true && error?.description.contains("--base-url") == false)
    }

    private func json(_ fixture: SiteFixture) throws -> DevToolsValue {
        try JSONText.decode(DevToolsValue.self, from: Array(try fixture.text("feed.json").utf8))
    }
}
