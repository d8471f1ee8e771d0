import Imaging
import Mirroring
import Testing

@Suite("Which recipes apply to which size")
struct RecipeBookTests {
    private func book(_ recipes: [String], _ sizes: [String]) throws -> RecipeBook {
        RecipeBook(try recipes.map { try Recipe($0) }, sizes: sizes.compactMap(PosterSize.init))
    }

    private func texts(_ book: RecipeBook, _ token: String, originalWidth: Int = 1) throws -> [String] {
        book.recipes(for: try #require(PosterSize(token)), originalWidth: originalWidth).map(\.description)
    }

    @Test("A recipe without dimensions is made for every size, in that size")
    func everySize() throws {
        let book = try book(["cover,radius=10%,webp"], ["w185", "w342"])
        #expect(try texts(book, "w185") == ["cover,185x278,radius=18.5,webp,q=80,effort=2"])
        #expect(try texts(book, "w342") == ["cover,342x513,radius=34.2,webp,q=80,effort=2"])
    }

    @Test("The width of a size whose token names none is the original's", arguments: ["original", "h632"])
    func widthOfOriginal(token: String) throws {
        #expect(try texts(try book(["cover,webp"], [token]), token, originalWidth: 600) == ["cover,600x900,radius=0,webp,q=80,effort=2"])
    }

    @Test(
        "A recipe with dimensions is made once, under the smallest size that is wide enough, else the widest",
        arguments: [
            ("cover,92x138,webp", "w185"), ("cover,185x278,webp", "w185"), ("cover,186x279,webp", "w342"), ("cover,900x1350,webp", "w500"),
        ])
    func withDimensions(recipe: String, token: String) throws {
        let sizes = ["w500", "w185", "w342"]
        let book = try book([recipe], sizes)
        #expect(try sizes.filter { try !texts(book, $0).isEmpty } == [token])
    }

    @Test("Recipes that come to the same are made once")
    func duplicates() throws {
        let book = try book(["cover,radius=10%,webp", "cover,185x278,radius=18.5,webp"], ["w185"])
        #expect(try texts(book, "w185").count == 1)
        #expect(book.recipes(for: ["w185", "w185"].compactMap(PosterSize.init), originalWidth: 1).count == 1)
    }
}
