import Core
import Drawing
import FoundationEssentials
import Glibc
import Imaging
import Mirroring
import TestSupport
import Testing

@testable import Reports

/// Read with Debian's poppler-utils, by which these are skipped where they are missing.
@Suite("Contact sheets as PDF", .enabled(if: Poppler.isInstalled, "needs poppler-utils (apt-get install poppler-utils)"))
struct SheetPDFTests {
    private let red = Colour(0xc03020)

    @Test("Every title can be found in the text, in each script, those cut short on the page included")
    func text() async throws {
        try await withRenderer { root, renderer in
            let names = [
                "Harbour Lights", "أضواء الميناء", "אורות הנמל", "港の灯り", "부산의 바다", "Салон под дъжда", "Ο τελευταίος φάρος", "Żółta łódź",
                "Cats 🐈 Asleep",
                "The Extraordinary and Entirely Unlikely Voyage of the Lantern Maker and All of His Younger Daughters",
            ]
            let manifest = SheetFixture.manifest(count: names.count, names: names)
            let lines = Lines()
            _ = try await ContactSheet.write(
                manifest, cache: root, options: SheetOptions(columns: 3, page: .a4), to: root + "/s.pdf", renderer: renderer, log: lines.log
            )
            let text = Self.searchable(try await Poppler.text(of: root + "/s.pdf"))
            let typesetter = Typesetter()
            for name in names {
                // For what no font of this machine has, boxes are drawn; the log says so.
                let isShown = typesetter.layout(name, style: TextStyle(size: 10, weight: 600)).missingCharacters.isEmpty
                if isShown { #expect(text.contains(Self.searchable(name)), "\(name)") }
                #expect(isShown || lines.all.contains { $0.contains("no font on this machine") })
            }
            #expect(text.contains("2026-W49") && text.contains("trending/movie/week") && text.contains("en-US"))
            #expect(text.contains("10titles") && text.contains("★0.9") && text.contains("1989"))
        }
    }

    @Test("JPEG originals are in the file byte for byte, each once")
    func embedding() async throws {
        try await withRenderer { root, renderer in
            var manifest = SheetFixture.manifest(count: 5)
            var originals: [[UInt8]] = []
            for colour in [red, Colour(0x206040)] {
                originals.append(try await renderer.encode(SheetFixture.picture(colour, corner: .white), as: .jpeg, quality: 85))
            }
            for place in 0..<4 {
                manifest.titles[place].poster = try SheetFixture.poster(originals[place % 2], in: root, width: 185)
            }
            let summary = try await ContactSheet.write(manifest, cache: root, to: root + "/s.pdf", renderer: renderer)
            #expect(summary.titlesWithoutPicture == 1)
            let pictures = try await Poppler.jpegs(of: root + "/s.pdf", in: root)
            #expect(pictures.count == 4)
            #expect(Set(pictures) == Set(originals))
            // Four places, two pictures: what is drawn twice is stored once.
            let size = try Data(contentsOf: URL(filePath: root + "/s.pdf")).count
            #expect(size < originals[0].count + originals[1].count + 60_000)
        }
    }

    @Test("Originals of another format are shown too", arguments: [ImageFormat.png, .webp])
    func otherFormats(_ format: ImageFormat) async throws {
        try await withRenderer { root, renderer in
            var manifest = SheetFixture.manifest(count: 1)
            let bytes = try await renderer.encode(SheetFixture.picture(red, corner: red), as: format, quality: 90)
            manifest.titles[0].poster = try SheetFixture.poster(bytes, in: root, width: 185, format: format)
            _ = try await ContactSheet.write(
                manifest, cache: root, options: SheetOptions(columns: 1), to: root + "/s.pdf", renderer: renderer)
            let plan = try SheetPlan(manifest, options: SheetOptions(columns: 1))
            let page = try await Poppler.page(1, of: root + "/s.pdf", in: root, renderer)
            let (x, y) = (plan.metrics.x(ofColumn: 0) + 90, plan.pages[0].rows[1].y + 130)
            let place = (Int(y) * page.widthPixels + Int(x)) * 4
            #expect(abs(Int(page.rgba[place]) - 0xc0) < 8 && abs(Int(page.rgba[place + 1]) - 0x30) < 8)
        }
    }

    @Test("The page of a PDF looks as the same sheet in pixels does", arguments: SheetOptions.Theme.allCases)
    func sameDrawing(_ theme: SheetOptions.Theme) async throws {
        try await withRenderer { root, renderer in
            var manifest = SheetFixture.manifest(count: 4)
            let bytes = try await renderer.encode(SheetFixture.picture(red, corner: .white), as: .jpeg, quality: 95)
            for place in [0, 3] { manifest.titles[place].poster = try SheetFixture.poster(bytes, in: root, width: 185) }
            let options = SheetOptions(columns: 4, theme: theme)
            for name in ["s.pdf", "s.png"] {
                _ = try await ContactSheet.write(manifest, cache: root, options: options, to: "\(root)/\(name)", renderer: renderer)
            }
            let page = try await Poppler.page(1, of: root + "/s.pdf", in: root, renderer)
            let png = [UInt8](try Data(contentsOf: URL(filePath: root + "/s.png")))
            let sheet = try await renderer.pixels(
                of: png, recipe: Recipe("cover,\(page.widthPixels)x\(page.heightPixels),radius=0,enlarge,png"))
            // The mean difference that a person would not see; edges of letters differ between the two, grounds and posters do not.
            let sum = zip(page.rgba, sheet.rgba).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
            #expect(Double(sum) / Double(page.rgba.count) < 4)
        }
    }

    @Test(
        "A long list is cut into numbered pages of the size asked for",
        arguments: [(SheetOptions.Page.a4, "595.276 x 841.89"), (.letter, "612 x 792")])
    func pages(_ page: SheetOptions.Page, _ size: String) async throws {
        try await withRenderer { root, renderer in
            let summary = try await ContactSheet.write(
                SheetFixture.manifest(count: 90), cache: root, options: SheetOptions(page: page), to: root + "/s.pdf", renderer: renderer)
            let info = try await Poppler.run("pdfinfo", [root + "/s.pdf"])
            #expect(info.contains("Pages:           \(summary.pages)\n") && summary.pages > 2)
            #expect(info.contains(size), "\(info)")
            #expect(info.contains("Trending movies, 2026-W49"))
            let text = try await Poppler.text(of: root + "/s.pdf").filter { !$0.isWhitespace }
            for number in 1...summary.pages { #expect(text.contains("\(number)/\(summary.pages)")) }
        }
    }

    @Test("Movement marks are there, and left out when that is asked for")
    func movement() async throws {
        try await withRenderer { root, renderer in
            let manifest = SheetFixture.manifest(count: 4)
            var previous = manifest
            previous.run = "20261123T062144Z-trending-movie-week"
            previous.week = "2026-W48"
            previous.startedAt -= 7 * 86_400
            previous.titles[0].rank = 3
            previous.titles[2].rank = 1
            previous.titles[3].id = 999
            for shows in [true, false] {
                _ = try await ContactSheet.write(
                    manifest, history: [previous], cache: root, options: SheetOptions(showsMovement: shows), to: root + "/s.pdf",
                    renderer: renderer)
                let text = try await Poppler.text(of: root + "/s.pdf").filter { !$0.isWhitespace }
                for mark in ["▲2", "▼2", "NEW"] { #expect(text.contains(mark) == shows) }
            }
        }
    }

    @Test("Captions are as many as asked for", arguments: SheetOptions.Captions.allCases)
    func captions(_ captions: SheetOptions.Captions) async throws {
        try await withRenderer { root, renderer in
            let manifest = SheetFixture.manifest(count: 3)
            _ = try await ContactSheet.write(
                manifest, cache: root, options: SheetOptions(captions: captions, title: "Our Friday"), to: root + "/s.pdf",
                renderer: renderer)
            let text = try await Poppler.text(of: root + "/s.pdf")
            #expect(text.contains("Our Friday"))
            // Without captions the placeholders themselves name their titles.
            #expect(text.contains("Lantern 2"))
            #expect(text.contains("1981") == (captions == .full))
        }
    }

    /// Without what poppler adds around text that is read from the right, and without the spaces that follow from the layout.
    private static func searchable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .format && !$0.properties.isWhitespace })
        )
        .replacing("\u{0C}", with: "")
    }
}

/// The programs of Debian's poppler-utils.
enum Poppler {
    static let isInstalled = Tool.isInstalled("pdftotext", "pdfimages", "pdfinfo", "pdftoppm")

    static func text(of path: String) async throws -> String {
        try await run("pdftotext", ["-layout", path, "-"]) + (try await run("pdftotext", [path, "-"]))
    }

    /// The JPEGs in a PDF, in order of their use, as they are stored.
    static func jpegs(of path: String, in folder: String) async throws -> [[UInt8]] {
        let out = folder + "/images"
        try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
        _ = try await run("pdfimages", ["-j", path, out + "/i"])
        let names = try FileManager.default.contentsOfDirectory(atPath: out).filter { $0.hasSuffix(".jpg") }.sorted()
        return try names.map { [UInt8](try Data(contentsOf: URL(filePath: "\(out)/\($0)"))) }
    }

    /// A page as pixels, one for each point.
    static func page(_ number: Int, of path: String, in folder: String, _ renderer: Renderer) async throws -> PixelBuffer {
        _ = try await run("pdftoppm", ["-r", "72", "-f", "\(number)", "-l", "\(number)", "-singlefile", "-png", path, folder + "/page"])
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: folder + "/page.png")))
        let header = try await renderer.header(of: bytes)
        return try await renderer.pixels(of: bytes, recipe: Recipe("inside,\(header.widthPixels)x\(header.heightPixels),radius=0,png"))
    }

    /// What a program prints.
    static func run(_ program: String, _ arguments: [String]) async throws -> String {
        String(decoding: try await Tool.run(program, arguments), as: UTF8.self)
    }
}
