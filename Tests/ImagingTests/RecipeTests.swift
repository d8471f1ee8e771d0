import Imaging
import Testing

@Suite("Recipe text")
struct RecipeTests {
    @Test(
        "A text gives its canonical text, whatever the order of its words",
        arguments: [
            ("cover,185x278,radius=18.5,webp,q=80", "cover,185x278,radius=18.5,webp,q=80,effort=2"),
            ("q=80, webp ,radius=18.50px,185x278", "cover,185x278,radius=18.5,webp,q=80,effort=2"),
            ("", nil),
            ("inside,500x", "inside,500x,radius=0,webp,q=80,effort=2"),
            ("inside,x300,png", "inside,x300,radius=0,png,effort=3"),
            ("contain,100x100,background=#FFee00,jpg,q=90", "contain,100x100,radius=0,background=#ffee00,jpeg,q=90"),
            ("jpeg,10x10", "cover,10x10,radius=0,background=#ffffff,jpeg,q=85"),
            ("cover,radius=10%,avif,enlarge", "cover,radius=10%,enlarge,avif,q=60,effort=0"),
            ("effort=4,10x10", "cover,10x10,radius=0,webp,q=80,effort=4"),
            ("10x10,radius=0.125%", "cover,10x10,radius=0.125%,webp,q=80,effort=2"),
        ] as [(String, String?)])
    func canonical(text: String, canonical: String?) throws {
        guard let canonical else {
            #expect(throws: RecipeError.self) { try Recipe(text) }
            return
        }
        let recipe = try Recipe(text)
        #expect(recipe.description == canonical)
        #expect(try Recipe(recipe.description) == recipe)
    }

    @Test(
        "A wrong text is refused with a sentence that names the word and helps",
        arguments: [
            ("covr,10x10", "did you mean “cover”"), ("10x10,radus=3", "did you mean “radius=…”"), ("webp,png", "says again"),
            ("radius=51%", "50 percent"), ("radius=-1", "a radius is"), ("0x10", "from 1 to 16383"), ("10x", nil), ("x", "no word"),
            ("10x10x10", "no size"), ("q=0", "from 1 to 100"), ("png,q=5", "PNG"), ("jpeg,radius=3", "background"),
            ("jpeg,contain,10x10", "bars"), ("background=red", "#rrggbb"), ("gif", "read but not written"),
            ("10x10,,webp", "a word is missing"), ("effort=7", "0 to 6"), ("png,effort=0", "1 to 9"),
            ("jpeg,10x10,effort=2", "leave it out"),
            ("effort=x", "single digit"), ("efort=2", "did you mean “effort=…”"),
            ("99999999999999999999x1", "from 1 to 16383"), ("radius=1.2345", "three decimals"), ("radius=٣", "a radius is"),
            ("contain,10x", "both"), ("contain,16383x16383", "40 million pixels"), ("cover,6325x6325", "40 million pixels"),
            ("5000x8000", nil),
            ("\u{1B}[31m", "\\u{1b}"),
        ] as [(String, String?)])
    func refused(text: String, hint: String?) throws {
        guard let hint else {
            _ = try Recipe(text)
            return
        }
        let error = try #require(throws: RecipeError.self) { try Recipe(text) }
        #expect(error.description.contains(hint))
        #expect(!error.description.unicodeScalars.contains("\u{1B}"))
    }

    @Test(
        "The pixels that a recipe makes of an original are known before it is made",
        arguments: [
            ("contain,6000x6000", 36_000_000), ("cover,6000x6000", 60 * 60), ("cover,600x600,enlarge", 360_000), ("inside,30x", 30 * 45),
            ("cover", 60 * 90),
        ])
    func pixels(text: String, count: Int) throws {
        #expect(try Recipe(text).pixelCount(ofWidth: 60, height: 90) == count)
    }

    @Test(
        "The standard recipe takes a poster's shape and a tenth of its width from the size",
        arguments: [
            (185, "cover,185x278,radius=18.5,webp,q=80,effort=2"), (342, "cover,342x513,radius=34.2,webp,q=80,effort=2"),
            (500, "cover,500x750,radius=50,webp,q=80,effort=2"),
            (1, "cover,1x2,radius=0.1,webp,q=80,effort=2"),
        ])
    func standard(width: Int, text: String) throws {
        #expect(Recipe.standard.description == "cover,radius=10%,webp,q=80,effort=2")
        #expect(!Recipe.standard.hasDimensions)
        #expect(Recipe.standard.resolved(forWidth: width).description == text)
        #expect(try Recipe("inside,200x,radius=5%").resolved(forWidth: width).description == "inside,200x,radius=10,webp,q=80,effort=2")
    }
}
