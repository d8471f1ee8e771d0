import Core
import Drawing
import FoundationEssentials
import Imaging
import Mirroring
import TestSupport
import Testing

@testable import Reports

@Suite("Contact sheets as pictures")
struct SheetRasterTests {
    let red = Colour(0xc03020)
    let blue = Colour(0x2040c0)

    @Test("Each poster fills its cell, rounded, and the caption stands below", arguments: [1.0, 2.0])
    func geometry(_ scale: Double) async throws {
        try await withRenderer { root, renderer in
            var manifest = SheetFixture.manifest(count: 3)
            let bytes = try await renderer.encode(SheetFixture.picture(red, corner: blue), as: .jpeg, quality: 95)
            for place in [0, 2] { manifest.titles[place].poster = try SheetFixture.poster(bytes, in: root, width: 185) }
            let options = SheetOptions(columns: 3, cellWidth: 100, gap: 20, scale: scale)
            let summary = try await ContactSheet.write(manifest, cache: root, options: options, to: root + "/s.png", renderer: renderer)
            #expect(summary == .init(paths: [root + "/s.png"], pages: 1, titles: 3, titlesWithoutPicture: 1))

            let plan = try SheetPlan(manifest, options: options)
            let sheet = try await Sheet(root + "/s.png", renderer, scale: scale)
            #expect(sheet.pixels.widthPixels == Int((plan.metrics.pageWidth * scale).rounded(.up)))
            #expect(sheet.pixels.heightPixels == Int((plan.pages[0].height * scale).rounded(.up)))
            let top = plan.pages[0].rows[1].y
            for column in [0, 2] {
                let x = plan.metrics.x(ofColumn: column)
                #expect(sheet.distance(at: x + 25, top + 40, from: blue) < 0.05)
                #expect(sheet.distance(at: x + 75, top + 40, from: red) < 0.05)
                #expect(sheet.distance(at: x + 50, top + 140, from: red) < 0.05)
                // The corner is cut off with a radius of a tenth of the width: what is 2 from its tip is outside, what is 4 is inside.
                #expect(sheet.distance(at: x + 1, top + 1, from: .white) < 0.05)
                #expect(sheet.distance(at: x + 98.5, top + 148.5, from: .white) < 0.05)
                #expect(sheet.distance(at: x + 5, top + 5, from: blue) < 0.05)
                // Right of the poster is the gap.
                #expect(sheet.distance(at: x + 102, top + 75, from: .white) < 0.02)
            }
            // The title without a picture has its quiet ground.
            let ground = SheetTheme(.light).placeholder
            #expect(sheet.distance(at: plan.metrics.x(ofColumn: 1) + 10, top + 75, from: ground) < 0.02)
            #expect(
                sheet.hasInk(
                    x: plan.metrics.x(ofColumn: 1)..<plan.metrics.x(ofColumn: 1) + 100, y: top + 152..<top + plan.metrics.cell.height))
        }
    }

    @Test(
        "Both themes have their ground, and every raster format is written",
        arguments: [("png", SheetOptions.Theme.light), ("jpg", .dark), ("webp", .light), ("avif", .dark)])
    func formats(_ ending: String, _ theme: SheetOptions.Theme) async throws {
        try await withRenderer { root, renderer in
            let manifest = SheetFixture.manifest(count: 2)
            let path = "\(root)/sheet.\(ending)"
            _ = try await ContactSheet.write(
                manifest, cache: root, options: SheetOptions(cellWidth: 60, theme: theme), to: path, renderer: renderer)
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            let expected = try SheetFormat(path: path)
            #expect(ImageFormat.sniff(bytes).map { .raster($0) } == expected)
            let sheet = try await Sheet(path, renderer, scale: 1)
            #expect(sheet.distance(at: 3, 3, from: SheetTheme(theme).background) < 0.03)
        }
    }

    @Test("The same run gives the same bytes, and nothing else is left beside them", arguments: ["s.png", "s.pdf"])
    func sameBytes(_ name: String) async throws {
        try await withRenderer { root, renderer in
            var manifest = SheetFixture.manifest(count: 30, names: ["أضواء الميناء", "港の灯り", "Cats 🐈"])
            let bytes = try await renderer.encode(SheetFixture.picture(red, corner: blue), as: .jpeg, quality: 95)
            for place in manifest.titles.indices where place % 3 != 0 {
                manifest.titles[place].poster = try SheetFixture.poster(bytes, in: root, width: 185)
            }
            var written: [Data] = []
            for folder in ["a", "b"] {
                try FileManager.default.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
                let path = "\(root)/\(folder)/\(name)"
                _ = try await ContactSheet.write(manifest, cache: root, to: path, renderer: renderer)
                written.append(try Data(contentsOf: URL(filePath: path)))
                #expect(try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)") == [name])
            }
            #expect(written[0] == written[1])
        }
    }

    @Test("A damaged, missing or escaping file gives a placeholder and a warning, not a broken sheet")
    func damaged() async throws {
        try await withRenderer { root, renderer in
            var manifest = SheetFixture.manifest(count: 3)
            let bytes = try await renderer.encode(SheetFixture.picture(red, corner: blue), as: .jpeg, quality: 95)
            let good = try SheetFixture.poster(bytes, in: root, width: 185)
            manifest.titles[0].poster = good
            // The same bytes cut short under their right digest's name: the digest no longer fits.
            manifest.titles[1].poster = try SheetFixture.poster(Array(bytes.dropLast(10)), in: root, width: 185)
            let damaged = manifest.titles[1].poster!.sizes["w185"]!.original!.path
            try Data(bytes.dropLast(20)).write(to: URL(filePath: "\(root)/\(damaged)"))
            manifest.titles[2].poster = good
            manifest.titles[2].poster!.sizes["w185"]!.original!.path = "../" + good.sizes["w185"]!.original!.path
            let lines = Lines()
            let summary = try await ContactSheet.write(
                manifest, cache: root, to: root + "/s.png", renderer: renderer, log: lines.log)
            #expect(summary.titlesWithoutPicture == 2)
            #expect(lines.all.count { $0.contains(damaged) } == 1)
            #expect(lines.all.count { $0.contains("not a path in the cache") } == 1)
            #expect(lines.all.count == 2 && lines.all.allSatisfy { $0.contains("\"Lantern ") && $0.contains("posterity verify --repair") })
            #expect(summary.lost.map(\.title.rank) == [2, 3])
        }
    }

    @Test("When nothing can be written, the old sheet stays and no scrap is left", arguments: ["s.pdf", "s.png"])
    func refusedPlace(_ name: String) async throws {
        try await withRenderer { root, renderer in
            let manifest = SheetFixture.manifest(count: 1)
            let error = await #expect(throws: SheetError.self) {
                try await ContactSheet.write(manifest, cache: root, to: "\(root)/none/\(name)", renderer: renderer)
            }
            #expect(error?.code == .cannotWrite && error?.description.contains("none/\(name)") == true)
            // A directory in the file's place cannot be replaced by it.
            try FileManager.default.createDirectory(atPath: "\(root)/out/\(name)", withIntermediateDirectories: true)
            await #expect(throws: SheetError.self) {
                try await ContactSheet.write(manifest, cache: root, to: "\(root)/out/\(name)", renderer: renderer)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(root)/out") == [name])
        }
    }

    @Test("A link to a sheet stays a link, and the file that it leads to is replaced; one that leads nowhere is refused")
    func symbolicLink() async throws {
        try await withRenderer { root, renderer in
            let manifest = SheetFixture.manifest(count: 1)
            try FileManager.default.createDirectory(atPath: root + "/disk", withIntermediateDirectories: true)
            try Data("old".utf8).write(to: URL(filePath: root + "/disk/real.png"))
            try FileManager.default.createSymbolicLink(atPath: root + "/link.png", withDestinationPath: "disk/real.png")
            let summary = try await ContactSheet.write(manifest, cache: root, to: root + "/link.png", renderer: renderer)
            #expect(summary.paths == [root + "/link.png"])
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: root + "/link.png") == "disk/real.png")
            #expect(ImageFormat.sniff([UInt8](try Data(contentsOf: URL(filePath: root + "/disk/real.png")))) == .png)
            #expect(try FileManager.default.contentsOfDirectory(atPath: root + "/disk") == ["real.png"])
            try FileManager.default.removeItem(atPath: root + "/disk/real.png")
            await #expect(throws: SheetError.self) {
                try await ContactSheet.write(manifest, cache: root, to: root + "/link.png", renderer: renderer)
            }
        }
    }

    @Test("What a killed process has left of a sheet is swept after a day; younger scraps and strangers stay")
    func leftovers() async throws {
        try await withRenderer { root, renderer in
            let old = Date.now.addingTimeInterval(-2 * 86_400)
            let (names, kept) = (
                [".s.png.1.tmp", ".s.png.2.tmp", ".s.png.x.tmp", ".t.png.3.tmp"], [".s.png.2.tmp", ".s.png.x.tmp", ".t.png.3.tmp"]
            )
            for name in names {
                try Data("half".utf8).write(to: URL(filePath: "\(root)/\(name)"))
                guard name != ".s.png.2.tmp" else { continue }
                try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: "\(root)/\(name)")
            }
            _ = try await ContactSheet.write(SheetFixture.manifest(count: 1), cache: root, to: root + "/s.png", renderer: renderer)
            #expect(try FileManager.default.contentsOfDirectory(atPath: root).sorted() == (kept + ["s.png"]).sorted())
        }
    }

    @Test("A sheet that is cancelled ends soon, and leaves neither a sheet nor a scrap", arguments: ["s.png", "s.pdf", "s.webp"])
    func cancelled(_ name: String) async throws {
        try await withRenderer { root, renderer in
            var manifest = SheetFixture.manifest(count: 30)
            let bytes = try await renderer.encode(SheetFixture.picture(red, corner: blue), as: .jpeg, quality: 95)
            let poster = try SheetFixture.poster(bytes, in: root, width: 185)
            for place in manifest.titles.indices { manifest.titles[place].poster = poster }
            let whole = manifest
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await #expect(throws: CancellationError.self) {
                        try await ContactSheet.write(whole, cache: root, to: "\(root)/\(name)", renderer: renderer)
                    }
                }
                group.cancelAll()
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: root) == ["objects"])
        }
    }

    @Test("A letter under a tower of marks does not reach into the poster above, and a tall caption not into the next row")
    func marks() async throws {
        try await withRenderer { root, renderer in
            let tower = "Z" + String(repeating: "\u{301}", count: 5_000) + String(repeating: "\u{316}", count: 5_000)
            var drawn: [PixelBuffer] = []
            for names in [[], [tower, tower, tower]] {
                let manifest = SheetFixture.manifest(count: 3, names: names)
                let options = SheetOptions(columns: 1, cellWidth: 100)
                _ = try await ContactSheet.write(manifest, cache: root, options: options, to: root + "/s.png", renderer: renderer)
                drawn.append(try await Sheet(root + "/s.png", renderer, scale: 1).pixels)
            }
            let plan = try SheetPlan(SheetFixture.manifest(count: 3), options: SheetOptions(columns: 1, cellWidth: 100))
            #expect(drawn[0].rgba != drawn[1].rgba)
            for row in plan.pages[0].rows.dropFirst() {
                let poster = Int(row.y)..<Int(row.y + plan.metrics.cell.posterHeight)
                let bytes = poster.lowerBound * drawn[0].widthPixels * 4..<poster.upperBound * drawn[0].widthPixels * 4
                #expect(drawn[0].rgba[bytes] == drawn[1].rgba[bytes])
            }
        }
    }

    @Test("A sheet too long for its format is refused before anything is drawn")
    func tooLong() async throws {
        try await withRenderer { root, renderer in
            let error = await #expect(throws: SheetError.self) {
                try await ContactSheet.write(
                    SheetFixture.manifest(count: 400), cache: root, to: root + "/s.webp", renderer: renderer)
            }
            #expect(error?.code == .badOptions && error?.description.contains("--page a4") == true)
        }
    }

    @Test("A raster sheet in pages is a file for each page")
    func pages() async throws {
        try await withRenderer { root, renderer in
            let summary = try await ContactSheet.write(
                SheetFixture.manifest(count: 30), cache: root, options: SheetOptions(page: .a4), to: root + "/s.png", renderer: renderer)
            #expect(summary.paths == [root + "/s-1.png", root + "/s-2.png"])
            let page = try await Sheet(summary.paths[1], renderer, scale: 1)
            #expect(page.pixels.widthPixels == 794 && page.pixels.heightPixels == 1123)
        }
    }

    @Test("A character that no font has is said once, however often it occurs")
    func missingGlyphs() async throws {
        try await withRenderer { root, renderer in
            let lines = Lines()
            _ = try await ContactSheet.write(
                SheetFixture.manifest(count: 3, names: ["A\u{10FFF0}", "B\u{10FFF0}", "C\u{10FFF1}"]), cache: root, to: root + "/s.png",
                renderer: renderer, log: lines.log)
            #expect(lines.all.count { $0.contains("no font on this machine") } == 1)
            #expect(lines.all.contains { $0.contains("U+10FFF0") && $0.contains("U+10FFF1") })
        }
    }

    @Test("Strips meet without a seam: a sheet drawn by rows is the sheet drawn at once")
    func seams() async throws {
        try await withRenderer { root, renderer in
            let manifest = SheetFixture.manifest(count: 9)
            let options = SheetOptions(columns: 3, cellWidth: 61, gap: 7, scale: 1.5)
            _ = try await ContactSheet.write(manifest, cache: root, options: options, to: root + "/s.png", renderer: renderer)
            let sheet = try await Sheet(root + "/s.png", renderer, scale: 1)
            let plan = try SheetPlan(manifest, options: options)
            let painter = SheetPainter(plan, theme: .light, movements: nil, pixelsPerUnit: 1.5)
            let canvas = try Canvas.raster(widthPixels: sheet.pixels.widthPixels, heightPixels: sheet.pixels.heightPixels, scale: 1.5)
            canvas.fill(with: painter.theme.background)
            for row in plan.pages[0].rows { try painter.draw(row, pictures: [nil, nil, nil], on: canvas) }
            let whole = try canvas.rgba()
            let differences = zip(whole, sheet.pixels.rgba).map { abs(Int($0) - Int($1)) }
            #expect(differences.max()! <= 2)
        }
    }
}

/// Runs `body` with a new directory and a renderer.
func withRenderer(_ body: (String, Renderer) async throws -> Void) async throws {
    try await withTemporaryDirectory { root in
        try await Renderer.withRenderer(threads: 1) { renderer in try await body(root, renderer) }
    }
}

/// The lines that a log was given.
final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    var log: Log { Log(minimum: .debug) { [self] _, line in lines.withLock { $0.append(line) } } }
}

/// A sheet read back, asked about in its own units.
private struct Sheet {
    let pixels: PixelBuffer
    let scale: Double

    init(_ path: String, _ renderer: Renderer, scale: Double) async throws {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        let header = try await renderer.header(of: bytes)
        pixels = try await renderer.pixels(of: bytes, recipe: Recipe("inside,\(header.widthPixels)x\(header.heightPixels),radius=0,png"))
        self.scale = scale
    }

    func colour(at x: Double, _ y: Double) -> Colour {
        let place = (Int(y * scale) * pixels.widthPixels + Int(x * scale)) * 4
        let parts = pixels.rgba[place..<place + 3].map { Double($0) / 255 }
        return Colour(red: parts[0], green: parts[1], blue: parts[2])
    }

    /// The largest difference of a part, 0 to 1.
    func distance(at x: Double, _ y: Double, from other: Colour) -> Double {
        let colour = colour(at: x, y)
        return max(abs(colour.red - other.red), abs(colour.green - other.green), abs(colour.blue - other.blue))
    }

    func hasInk(x: Range<Double>, y: Range<Double>) -> Bool {
        stride(from: y.lowerBound, to: y.upperBound, by: 0.5).contains { y in
            stride(from: x.lowerBound, to: x.upperBound, by: 0.5).contains { x in colour(at: x, y).luminance < 0.3 }
        }
    }
}
