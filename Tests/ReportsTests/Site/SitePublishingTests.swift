import Core
import FoundationEssentials
import Glibc
import Imaging
import Mirroring
import Reports
import TestSupport
import Testing

@Suite("Publishing a site")
struct SitePublishingTests {
    @Test("A site has every file that its pages name, readable by a web server")
    func complete() async throws {
        try await withSiteFixture { fixture in
            let earlier = try fixture.run(week: "2026-W47", ids: Array(0..<20))
            let report = try await fixture.publish(try fixture.run(week: "2026-W48", ids: Array(2..<22)), earlier: [earlier])
            #expect(report.titles == 20 && report.missing == 0 && report.weeks == 2)

            let files = SiteFixture.contents(of: fixture.site)
            for path in [
                "index.html", "weeks/2026-W48/index.html", "weeks/2026-W47/index.html", "feed.xml", "feed.json", "manifest.json",
                "robots.txt",
            ] {
                #expect(files[path] != nil, "\(path)")
            }
            for page in files.keys where page.hasSuffix(".html") {
                let root = page == "index.html" ? "" : "../../"
                let named = try fixture.text(page).matches(of: #/(?:src|href)="([^"#:]+)"/#).map { String($0.output.1) }
                #expect(named.count > 20)
                for reference in named { #expect(files[String(reference.trimmingPrefix(root))] != nil, "\(reference) in \(page)") }
            }
            #expect(report.filesWritten == files.count - 1)
            for path in files.keys { #expect(permissions(fixture.site + "/" + path) == 0o644, "\(path)") }
            #expect(permissions(fixture.site) == 0o755 && permissions(fixture.site + "/assets") == 0o755)
        }
    }

    @Test("The same run again touches nothing, and in another folder gives the same bytes")
    func deterministic() async throws {
        try await withSiteFixture { fixture in
            let run = try fixture.run(week: "2026-W48", ids: Array(0..<20), without: [3])
            let first = try await fixture.publish(run)
            let inode = inode(fixture.site)
            let again = try await fixture.publish(run)
            #expect(again.isUnchanged && again.filesKept == first.filesWritten && again.bytesKept == first.bytesWritten)
            #expect(self.inode(fixture.site) == inode)

            var elsewhere = fixture.options()
            elsewhere.directory = fixture.root + "/a/b/elsewhere"
            _ = try await fixture.publish(run, options: elsewhere)
            #expect(SiteFixture.contents(of: fixture.site) == SiteFixture.contents(of: elsewhere.directory))
        }
    }

    @Test("Next week's site takes unchanged pictures over instead of writing them again, and leaves nothing beside itself")
    func incremental() async throws {
        try await withSiteFixture { fixture in
            let last = try fixture.run(week: "2026-W47", ids: Array(0..<20))
            _ = try await fixture.publish(last)
            let picture = try #require(SiteFixture.contents(of: fixture.site).keys.first { $0.hasSuffix(".png") })
            let before = inode(fixture.site + "/" + picture)
            let report = try await fixture.publish(try fixture.run(week: "2026-W48", ids: Array(1..<21)), earlier: [last])
            #expect(inode(fixture.site + "/" + picture) == before)
            // Three new pictures; four pages and two feeds at most; the manifest; the stylesheet.
            #expect(report.filesWritten <= 11 && report.filesKept >= 60)
            #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.root).sorted() == ["cache", "site"])
        }
    }

    @Test("A picture of the site is never the cache's own file")
    func noAlias() async throws {
        try await withSiteFixture { fixture in
            _ = try await fixture.publish(try fixture.run(week: "2026-W48", ids: [1]))
            for path in SiteFixture.contents(of: fixture.site).keys { #expect(links(fixture.site + "/" + path) == 1, "\(path)") }
        }
    }

    @Test("When too much is missing nothing is published, and last week's site stays")
    func withheld() async throws {
        try await withSiteFixture { fixture in
            _ = try await fixture.publish(try fixture.run(week: "2026-W47", ids: Array(0..<20)))
            let before = SiteFixture.contents(of: fixture.site)
            let poor = try fixture.run(week: "2026-W48", ids: Array(0..<20), without: [1, 2, 3])
            await #expect(throws: SiteError.tooManyMissing(missing: 3, of: 20, allowed: .percent(10))) { try await fixture.publish(poor) }
            #expect(SiteFixture.contents(of: fixture.site) == before)

            var options = fixture.options()
            options.maximumMissing = .titles(3)
            #expect(try await fixture.publish(poor, options: options).missing == 3)
            let nothing = try fixture.run(week: "2026-W48", ids: [])
            await #expect(throws: SiteError.noTitles(run: nothing.run)) { try await fixture.publish(nothing) }
            #expect(SiteError.noTitles(run: "").isWithheld && !SiteError.cancelled.isWithheld)
        }
    }

    @Test(
        "An allowance is a share or a number, and is met exactly",
        arguments: [
            ("10%", 2, 20, true), ("10%", 3, 20, false), ("0%", 0, 5, true), ("0%", 1, 5, false), ("3", 3, 4, true), ("3", 4, 400, false),
        ])
    func allowance(text: String, missing: Int, total: Int, isAllowed: Bool) throws {
        #expect(try #require(MissingAllowance(text)).allows(missing, of: total) == isAllowed)
        for wrong in ["", "%", "101%", "-1", "ten", "1.5"] { #expect(MissingAllowance(wrong) == nil) }
    }

    @Test("A picture whose bytes in the cache are not what its name says counts as missing and is not published")
    func damagedObject() async throws {
        try await withSiteFixture { fixture in
            let run = try fixture.run(week: "2026-W48", ids: Array(0..<20))
            let size = try #require(run.titles[4].poster?.sizes["w34"]?.renditions.first)
            let path = fixture.cache + "/" + size.path
            var bytes = try #require(FileManager.default.contents(atPath: path))
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: URL(filePath: path))
            let book = LogBook()
            let report = try await fixture.publish(run, log: book.log)
            #expect(report.missing == 0)
            #expect(book.lines(.warning).count == 1 && report.lost.map(\.title.rank) == [5] && report.lost[0].hasOther)
            #expect(book.lines(.warning).first?.contains("Вечер на острове") == true)
            #expect(book.lines(.warning).first?.contains("posterity verify --repair") == true)
            #expect(!FileManager.default.fileExists(atPath: fixture.site + "/assets/\(size.digest.hex).png"))
            #expect(!(try fixture.text("index.html")).contains(size.digest.hex))
        }
    }

    @Test("Titles whose every picture is gone from the cache count as missing, and each is named once")
    func lostObjects() async throws {
        try await withSiteFixture { fixture in
            let run = try fixture.run(week: "2026-W48", ids: Array(0..<20))
            func remove(_ place: Int) throws {
                for size in try #require(run.titles[place].poster).sizes.values {
                    try FileManager.default.removeItem(atPath: fixture.cache + "/" + size.renditions[0].path)
                }
            }
            for place in 0..<2 { try remove(place) }
            let book = LogBook()
            let report = try await fixture.publish(run, log: book.log)
            #expect(report.missing == 2 && report.lost.map(\.title.rank) == [1, 2] && report.lost.allSatisfy { !$0.hasOther })
            #expect(book.lines(.warning).count == 2)
            // What the site has of the third already it keeps; in a new folder it is one too many.
            try remove(2)
            #expect(try await fixture.publish(run).missing == 2)
            var elsewhere = fixture.options()
            elsewhere.directory += "-2"
            let error = SiteError.tooManyMissing(missing: 3, of: 20, allowed: .percent(10))
            await #expect(throws: error) { try await fixture.publish(run, options: elsewhere) }
        }
    }

    @Test("A sheet that lacks a picture is drawn again when the picture may be back, and what it lacks is said with the rest")
    func lostOnSheet() async throws {
        try await withSiteFixture { fixture in
            let run = try fixture.run(week: "2026-W48", ids: Array(0..<5))
            let drawn = Counter()
            let maker = SheetMaker(identity: "1") { manifest, _ in
                await drawn.increment()
                let lost = [LostPictures(of: manifest.titles[1], files: ["objects/a.jpg: gone"], hasOther: false)]
                return SheetMaker.Drawing(
                    bytes: TinyPNG.bytes(width: 30, height: 20, seed: 1), lost: await drawn.count == 1 ? lost : [])
            }
            #expect(try await fixture.publish(run, sheet: maker).lost.map(\.title.rank) == [2])
            #expect(try await fixture.publish(run, sheet: maker).lost.isEmpty)
            _ = try await fixture.publish(run, sheet: maker)
            #expect(await drawn.count == 2)
        }
    }

    @Test("A manifest's path cannot lead out of the cache")
    func pathOutOfCache() async throws {
        try await withSiteFixture { fixture in
            var run = try fixture.run(week: "2026-W48", ids: Array(0..<20))
            let secret = Array("secret".utf8)
            try Data(secret).write(to: URL(filePath: fixture.root + "/secret.png"))
            run.titles[0].poster?.sizes = [
                "w18": Manifest.Size(
                    original: nil,
                    renditions: [
                        Manifest.Rendition(
                            recipe: "cover,1x1,png", path: "../secret.png", digest: Digest(of: secret), bytes: 6, width: 1, height: 1,
                            mediaType: "image/png")
                    ])
            ]
            #expect(try await fixture.publish(run).missing == 1)
        }
    }

    @Test("A folder that holds somebody else's files is refused and left alone")
    func notOurs() async throws {
        try await withSiteFixture { fixture in
            try FileManager.default.createDirectory(atPath: fixture.site, withIntermediateDirectories: true)
            let run = try fixture.run(week: "2026-W48", ids: Array(0..<5))
            try Data("precious".utf8).write(to: URL(filePath: fixture.site + "/thesis.txt"))
            await #expect(throws: SiteError.notOurs(path: fixture.site)) { try await fixture.publish(run) }
            #expect(SiteFixture.contents(of: fixture.site).keys.sorted() == ["thesis.txt"])
            try FileManager.default.removeItem(atPath: fixture.site + "/thesis.txt")
            _ = try await fixture.publish(run)
            #expect(FileManager.default.fileExists(atPath: fixture.site + "/index.html"))

            var onFile = fixture.options()
            onFile.directory = fixture.site + "/index.html"
            await #expect(throws: SiteError.self) { try await fixture.publish(run, options: onFile) }
            onFile.directory = "/"
            await #expect(throws: SiteError.self) { try await fixture.publish(run, options: onFile) }
        }
    }

    @Test("The cache is no place for a site, however it is written, and a site none for the cache")
    func insideCache() async throws {
        try await withSiteFixture { fixture in
            let run = try fixture.run(week: "2026-W48", ids: Array(0..<5))
            try FileManager.default.createSymbolicLink(atPath: fixture.root + "/link", withDestinationPath: "cache")
            for place in ["/cache", "/cache/", "/cache/site", "/link/a/b", "/cache/objects/../new/site"] {
                var options = fixture.options()
                options.directory = fixture.root + place
                let reason = SiteError.badDirectory(path: options.directory, because: "it is inside the cache directory")
                await #expect(throws: reason) { try await fixture.publish(run, options: options) }
            }
            var above = fixture.options()
            above.directory = fixture.root
            await #expect(throws: SiteError.badDirectory(path: fixture.root, because: "the cache directory is inside it")) {
                try await fixture.publish(run, options: above)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.cache) == ["objects"])
        }
    }

    @Test("A place that cannot be written to is found out before the sheet is drawn")
    func unwritable() async throws {
        try await withSiteFixture { fixture in
            let run = try fixture.run(week: "2026-W48", ids: Array(0..<5))
            let drawn = Counter()
            let maker = SheetMaker(identity: "1") { _, _ in
                await drawn.increment()
                return SheetMaker.Drawing(bytes: [])
            }
            var options = fixture.options()
            // Not even the superuser makes a folder there.
            options.directory = "/proc/posterity-site"
            let error = await #expect(throws: SiteError.self) { try await fixture.publish(run, options: options, sheet: maker) }
            #expect(error?.description == "cannot make a folder beside /proc/posterity-site: no such file or directory")
            #expect(await drawn.count == 0)
        }
    }

    @Test("A site is current when it was made whole from the same and not touched since")
    func current() async throws {
        try await withSiteFixture { fixture in
            let run = try fixture.run(week: "2026-W48", ids: Array(0..<20))
            let (inputs, others) = (Digest(of: "a".utf8), Digest(of: "b".utf8))
            func isCurrent(_ inputs: Digest) async -> Bool {
                await StaticSite.isCurrent(fixture.options(), cacheRoot: fixture.cache, inputs: inputs)
            }
            func publish() async throws {
                _ = try await StaticSite.publish(
                    run, earlier: [], cacheRoot: fixture.cache, options: fixture.options(), inputs: inputs)
            }
            #expect(await !isCurrent(inputs))
            try await publish()
            #expect(await isCurrent(inputs))
            #expect(await !isCurrent(others))
            unlink(fixture.site + "/feed.xml")
            #expect(await !isCurrent(inputs))

            // What the cache has lost may come back, so a site that lacks it is never current.
            try FileManager.default.removeItem(atPath: fixture.site)
            let path = try #require(run.titles[4].poster?.sizes["w34"]?.renditions.first?.path)
            try FileManager.default.removeItem(atPath: fixture.cache + "/" + path)
            try await publish()
            #expect(await !isCurrent(inputs))
        }
    }

    @Test("What somebody else put into the site stays in it, and a file of the site that was edited is put right")
    func strangersAndEdits() async throws {
        try await withSiteFixture { fixture in
            let run = try fixture.run(week: "2026-W48", ids: Array(0..<5))
            _ = try await fixture.publish(run)
            let published = SiteFixture.contents(of: fixture.site)
            try FileManager.default.createDirectory(atPath: fixture.site + "/.well-known", withIntermediateDirectories: true)
            try Data("films.example".utf8).write(to: URL(filePath: fixture.site + "/.well-known/name"))
            try FileManager.default.createSymbolicLink(atPath: fixture.site + "/latest", withDestinationPath: "weeks/2026-W48")
            let asset = try #require(published.keys.first { $0.hasSuffix(".png") })
            try Data(repeating: 7, count: published[asset]?.count ?? 0).write(to: URL(filePath: fixture.site + "/" + asset))
            unlink(fixture.site + "/feed.xml")

            let report = try await fixture.publish(run)
            #expect(report.filesWritten == 2)
            var after = SiteFixture.contents(of: fixture.site)
            #expect(after.removeValue(forKey: ".well-known/name") == Data("films.example".utf8))
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: fixture.site + "/latest") == "weeks/2026-W48")
            #expect(after.filter { !$0.key.hasPrefix("latest") } == published)
        }
    }

    @Test("A link to the site's folder stays a link; one that leads nowhere is refused")
    func symbolicLink() async throws {
        try await withSiteFixture { fixture in
            let run = try fixture.run(week: "2026-W48", ids: Array(0..<5))
            try FileManager.default.createDirectory(atPath: fixture.root + "/disk/real", withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(atPath: fixture.site, withDestinationPath: "disk/real")
            for ids in [0..<5, 1..<6] {
                var options = fixture.options()
                options.directory += "/"
                _ = try await fixture.publish(try fixture.run(week: "2026-W48", ids: Array(ids)), options: options)
            }
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: fixture.site) == "disk/real")
            #expect(FileManager.default.fileExists(atPath: fixture.root + "/disk/real/index.html"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.root + "/disk") == ["real"])

            try FileManager.default.removeItem(atPath: fixture.root + "/disk/real")
            await #expect(throws: SiteError.self) { try await fixture.publish(run) }
        }
    }

    @Test("What a process that died has left beside the site is swept, and a site that it had moved away is put back")
    func leftovers() async throws {
        try await withSiteFixture { fixture in
            let run = try fixture.run(week: "2026-W48", ids: Array(0..<5))
            _ = try await fixture.publish(run)
            let prefix = ".posterity-site-\(Digest(of: "site".utf8).hex.prefix(12))-"
            try FileManager.default.createDirectory(atPath: fixture.root + "/\(prefix)Ab3xYz/assets", withIntermediateDirectories: true)
            try FileManager.default.createDirectory(
                atPath: fixture.root + "/.posterity-site-000000000000-Ab3xYz", withIntermediateDirectories: true)
            try FileManager.default.moveItem(atPath: fixture.site, toPath: fixture.root + "/\(prefix)aside")
            let report = try await fixture.publish(run)
            #expect(report.isUnchanged)
            // The other one belongs to another site's folder.
            let expected = [".posterity-site-000000000000-Ab3xYz", "cache", "site"]
            #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.root).sorted() == expected)
        }
    }

    @Test("Two that publish to one folder at once leave one whole site")
    func concurrent() async throws {
        try await withSiteFixture { fixture in
            let runs = try (0..<4).map { try fixture.run(week: "2026-W48", ids: Array($0..<($0 + 10))) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for run in runs { group.addTask { _ = try await fixture.publish(run) } }
                try await group.waitForAll()
            }
            let files = SiteFixture.contents(of: fixture.site)
            let shown = try #require(runs.first { JSONText.encode($0) == files["manifest.json"].map(Array.init) })
            #expect(try await fixture.publish(shown).isUnchanged)
            #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.root).sorted() == ["cache", "site"])
        }
    }

    @Test("The contact sheet is drawn once for a run, and again when its drawing changes")
    func sheet() async throws {
        try await withSiteFixture { fixture in
            let run = try fixture.run(week: "2026-W48", ids: Array(0..<5))
            let drawn = Counter()
            func maker(_ identity: String) -> SheetMaker {
                SheetMaker(identity: identity) { _, _ in
                    await drawn.increment()
                    return SheetMaker.Drawing(bytes: TinyPNG.bytes(width: 30, height: 20, seed: 1))
                }
            }
            _ = try await fixture.publish(run, sheet: maker("1"))
            _ = try await fixture.publish(run, sheet: maker("1"))
            #expect(await drawn.count == 1)
            _ = try await fixture.publish(run, sheet: maker("2"))
            #expect(await drawn.count == 2)
            #expect(try fixture.text("index.html").contains("href=\"sheet.png\""))
            struct Broken: Error {}
            let broken = SheetMaker(identity: "3") { _, _ in throw Broken() }
            await #expect(throws: SiteError.self) { try await fixture.publish(run, sheet: broken) }
            #expect(FileManager.default.fileExists(atPath: fixture.site + "/sheet.png"))
        }
    }

    @Test("The sheet of a site is the contact sheet of its run")
    func contactSheet() async throws {
        try await withSiteFixture { fixture in
            let run = try fixture.run(week: "2026-W48", ids: Array(0..<5))
            _ = try await Renderer.withRenderer(threads: 1) { renderer in
                let maker = SheetMaker.contactSheet(cacheRoot: fixture.cache, renderer: renderer, log: .silent)
                _ = try await fixture.publish(run, sheet: maker)
                let bytes = try #require(FileManager.default.contents(atPath: fixture.site + "/sheet.png"))
                let header = try await renderer.header(of: Array(bytes))
                #expect(header.format == .png && header.widthPixels > 1_000)
                // The header's colour type is a palette: a site's sheet is not to outweigh the site.
                #expect(bytes[25] == 3)
            }
        }
    }

    // MARK: - Private

    private actor Counter {
        private(set) var count = 0
        func increment() { count += 1 }
    }

    private func status(_ path: String) -> stat {
        var status = stat()
        lstat(path, &status)
        return status
    }
    private func permissions(_ path: String) -> mode_t { status(path).st_mode & 0o777 }
    private func inode(_ path: String) -> ino_t { status(path).st_ino }
    private func links(_ path: String) -> nlink_t { status(path).st_nlink }
}
