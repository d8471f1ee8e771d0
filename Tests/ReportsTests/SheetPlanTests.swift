import Imaging
import Mirroring
import Testing

@testable import Reports

@Suite("Planning a contact sheet")
struct SheetPlanTests {
    @Test("A sheet in one piece is as wide as its columns and as high as its rows", arguments: [1, 4, 5, 6, 20, 101])
    func onePiece(_ count: Int) throws {
        let options = SheetOptions(columns: 5, cellWidth: 100, gap: 20)
        let plan = try SheetPlan(SheetFixture.manifest(count: count), options: options)
        let metrics = plan.metrics
        let columns = min(5, max(2, count))
        #expect(plan.pages.count == 1)
        #expect(metrics.pageWidth == 2 * metrics.margin + Double(columns * 100 + (columns - 1) * 20))
        let rows = plan.pages[0].rows
        #expect(rows.count == 1 + (count + columns - 1) / columns)
        #expect(plan.pages[0].height == rows.last!.y + rows.last!.height + metrics.margin)
        for (row, next) in zip(rows, rows.dropFirst()) { #expect(next.y > row.y + row.height) }
    }

    @Test(
        "Columns that no title fills are left out, down to the two that a heading needs", arguments: [(1, 2), (2, 2), (12, 12), (60, 50)])
    func fewerColumns(_ count: Int, _ columns: Int) throws {
        #expect(try SheetPlan(SheetFixture.manifest(count: count), options: SheetOptions(columns: 50)).metrics.columns == columns)
        #expect(try SheetPlan(SheetFixture.manifest(count: count), options: SheetOptions(columns: 1)).metrics.columns == 1)
    }

    @Test("Every title stands on exactly one page, in order, within the page's margins", arguments: SheetOptions.Page.allCases)
    func paging(_ page: SheetOptions.Page) throws {
        let plan = try SheetPlan(SheetFixture.manifest(count: 333), options: SheetOptions(page: page))
        var next = 0
        for page in plan.pages {
            for row in page.rows {
                #expect(row.y >= plan.metrics.verticalMargin)
                guard case .cells(let places) = row.content else { continue }
                #expect(places.lowerBound == next)
                next = places.upperBound
                #expect(row.y + row.height <= page.height - plan.metrics.verticalMargin + 0.1)
            }
        }
        #expect(next == 333)
    }

    @Test("Twenty titles, the usual list, fill one page of A4 or Letter", arguments: [SheetOptions.Page.a4, .letter])
    func onePage(_ page: SheetOptions.Page) throws {
        let plan = try SheetPlan(SheetFixture.manifest(count: 20), options: SheetOptions(page: page))
        #expect(plan.pages.count == 1)
        #expect(plan.metrics.columns == 5)
    }

    @Test("Pages are numbered, each with the count of all")
    func numbers() throws {
        let plan = try SheetPlan(SheetFixture.manifest(count: 100), options: SheetOptions(page: .a4))
        let footers = plan.pages.map(\.rows.last?.content)
        #expect(footers == (1...plan.pages.count).map { .footer(page: $0, of: plan.pages.count) })
        #expect(plan.pages.count >= 5)
    }

    @Test("A heading is never left alone at the foot of a page", arguments: 1...40)
    func headings(_ count: Int) throws {
        var manifest = SheetFixture.manifest(count: count)
        manifest.lists.append("tv/popular")
        manifest.titles += SheetFixture.manifest(count: 3).titles.map { title in
            var title = title
            title.list = "tv/popular"
            return title
        }
        let plan = try SheetPlan(manifest, options: SheetOptions(page: .a4))
        for page in plan.pages {
            for (row, next) in zip(page.rows, page.rows.dropFirst()) {
                guard case .heading = row.content else { continue }
                guard case .cells = next.content else {
                    Issue.record("a heading is followed by \(next.content)")
                    continue
                }
            }
        }
    }

    @Test("The top three of each list are its first three")
    func top() throws {
        let plan = try SheetPlan(SheetFixture.manifest(count: 20), options: SheetOptions(top: 3))
        #expect(plan.titles.map(\.rank) == [1, 2, 3])
        #expect(plan.heading.count == "3 of 20 titles")
    }

    @Test("A run without titles still has its heading")
    func empty() throws {
        let plan = try SheetPlan(SheetFixture.manifest(count: 0), options: SheetOptions(page: .a4))
        #expect(plan.pages.count == 1 && plan.heading.count == "0 titles")
    }

    @Test(
        "Options that cannot be met are refused, with what would do",
        arguments: [
            (SheetOptions(columns: 0), "columns"), (SheetOptions(cellWidth: 1), "24 to 2000"), (SheetOptions(gap: -1), "gap"),
            (SheetOptions(scale: 0), "scale"), (SheetOptions(scale: .nan), "scale"), (SheetOptions(top: 0), "top"),
            (SheetOptions(columns: 6, cellWidth: 185, page: .a4), "at most 2"),
            (SheetOptions(cellWidth: 900, page: .a4), "515"), (SheetOptions(columns: 60, page: .letter), "fewer columns"),
        ])
    func refusals(_ options: SheetOptions, _ words: String) {
        let error = #expect(throws: SheetError.self) { try SheetPlan(SheetFixture.manifest(count: 100), options: options) }
        #expect(error?.code == .badOptions)
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }

    @Test("The end of the file's name says the format, in capitals too")
    func formats() throws {
        #expect(try SheetFormat(path: "a/b.c/sheet.PDF") == .pdf)
        #expect(try SheetFormat(path: "sheet.jpeg") == .raster(.jpeg))
        for path in ["sheet", "a.png/sheet", "sheet.gif", "", "sheet."] {
            #expect(throws: SheetError.self) { try SheetFormat(path: path) }
        }
    }

    @Test("Pages of a raster sheet are numbered so that they sort")
    func pageNames() {
        #expect(SheetJob.path("out/sheet.png", page: 3, of: 20) == "out/sheet-03.png")
        #expect(SheetJob.path("out/sheet.png", page: 1, of: 1) == "out/sheet.png")
    }

    @Test("Scores have one decimal, rounded")
    func scores() {
        #expect([0, 7, 7.25, 9.96, 6.04].map(ScoreSource.oneDecimal) == ["0.0", "7.0", "7.3", "10.0", "6.0"])
    }

    @Test("The package that is named has the script that is missing")
    func advice() {
        func packages(_ text: String) -> String { GlyphAdvice.sentence(for: Set(text.unicodeScalars)) ?? "" }
        #expect(packages("港の부").hasSuffix("apt install fonts-noto-cjk"))
        #expect(packages("ضनบ").hasSuffix("apt install fonts-noto-core"))
        #expect(packages("🐈").hasSuffix("apt install fonts-noto-color-emoji"))
        #expect(packages("🐈港").hasSuffix("apt install fonts-noto-cjk fonts-noto-color-emoji"))
        #expect(packages("\u{F8FF}").contains("no Debian package"))
        #expect(GlyphAdvice.sentence(for: []) == nil)
        #expect(packages("港").contains("U+6E2F"))
    }

    @Test("The smallest picture that is wide enough is taken, and the widest when none is")
    func choice() {
        let poster = SheetFixture.poster(widths: [185, 342, 500])
        #expect(poster.sources(forWidth: 200).map(\.widthPixels) == [342, 500, 185])
        #expect(poster.sources(forWidth: 190).first?.widthPixels == 185)
        #expect(poster.sources(forWidth: 900).map(\.widthPixels) == [500, 342, 185])
    }
}
