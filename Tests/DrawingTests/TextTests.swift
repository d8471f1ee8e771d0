import Drawing
import Testing

@Suite("Setting text")
struct TextTests {
    let typesetter = Typesetter()
    let style = TextStyle(size: 20)

    @Test("Text that is longer is wider, and one line is as high as its font")
    func measuring() {
        let short = typesetter.layout("Ash", style: style)
        let long = typesetter.layout("Ashes of the Harbour", style: style)
        #expect(long.width > short.width * 3)
        #expect(long.lineCount == 1 && (18...40).contains(long.height))
        #expect(long.baseline > 10 && long.baseline < long.height)
    }

    @Test("Twice the size is twice the width: nothing is rounded to pixels")
    func linearity() {
        let once = typesetter.layout("The Long Winter of Inge Holm", style: style).width
        let twice = typesetter.layout("The Long Winter of Inge Holm", style: TextStyle(size: 40)).width
        #expect(abs(twice / once - 2) < 0.01)
    }

    @Test("A title too long for two lines ends in an ellipsis within its width")
    func ellipsis() {
        let text = "The Extraordinary and Entirely Unlikely Voyage of the Lantern Maker's Younger Daughter"
        let layout = typesetter.layout(text, style: style, width: 150, maximumLines: 2)
        #expect(layout.isShortened && layout.lineCount == 2)
        #expect(layout.width <= 150.5)
        #expect(!typesetter.layout("Two Words", style: style, width: 150, maximumLines: 2).isShortened)
    }

    @Test("One word wider than the line is broken rather than left to stick out")
    func longWord() {
        let layout = typesetter.layout(String(repeating: "w", count: 60), style: style, width: 100)
        #expect(layout.width <= 100.5 && layout.lineCount > 5)
    }

    @Test("Hebrew and Arabic are read from the right and begin there; Latin from the left")
    func direction() {
        for text in ["אורות הנמל", "ضوء الميناء"] {
            let layout = typesetter.layout(text, style: style, width: 400)
            #expect(layout.isRightToLeft)
            #expect(layout.ink.maxX > 395)
        }
        let latin = typesetter.layout("Harbour Lights", style: style, width: 400)
        #expect(!latin.isRightToLeft && latin.ink.x < 5)
    }

    @Test("Line ends, tabs and bidirectional overrides in a text are only spaces")
    func controls() {
        let layout = typesetter.layout("A\nB\tC\u{202E}D\u{2066}E\u{7}", style: style, width: 400)
        #expect(layout.lineCount == 1 && !layout.isRightToLeft)
        #expect(layout.missingCharacters.isEmpty)
    }

    @Test("A character that no font has is reported; those that a font has are not")
    func missing() {
        // A private-use character far from those that any icon font takes.
        let layout = typesetter.layout("A\u{10FFF0}B", style: style)
        #expect(layout.missingCharacters == ["\u{10FFF0}"])
        #expect(typesetter.layout("Æther é", style: style).missingCharacters.isEmpty)
    }

    @Test("Bold text has more ink than regular text")
    func weight() throws {
        func ink(_ weight: Int) throws -> Int {
            let canvas = try Canvas.raster(widthPixels: 200, heightPixels: 40)
            canvas.draw(typesetter.layout("Harbour", style: TextStyle(size: 30, weight: weight)), at: Point(0, 0), colour: .black)
            return try canvas.rgba().reduce(0) { $0 + Int($1) }
        }
        #expect(try ink(700) > ink(400) * 11 / 10)
    }

    @Test("The baseline that text is drawn at is where its letters stand")
    func baseline() throws {
        let canvas = try Canvas.raster(widthPixels: 100, heightPixels: 60)
        canvas.draw(typesetter.layout("HEH", style: TextStyle(size: 30)), x: 5, baseline: 45, colour: .black)
        let pixels = try canvas.rgba()
        let rows = (0..<60).filter { y in (0..<100).contains { pixel(pixels, width: 100, x: $0, y: y)[3] > 128 } }
        #expect(rows.max() == 44)
        #expect(rows.min()! > 20)
    }
}
