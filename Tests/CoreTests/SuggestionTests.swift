import Core
import Testing

@Suite("Suggestions")
struct SuggestionTests {
    @Test(
        "The nearest word is found, if one is near",
        arguments: [
            ("mirorr", "mirror"), ("miror", "mirror"), ("mriror", "mirror"), ("shet", "sheet"), ("SHEET", "sheet"), ("mir", "mirror"),
            ("expl", "explain"), ("siet", "site"), ("xyz", nil), ("s", nil), ("", nil), ("mirrorball", nil), ("render-thread", nil),
        ])
    func nearest(word: String, expected: String?) {
        #expect(Suggestion.nearest(to: word, among: ["mirror", "sheet", "site", "explain", "verify"]) == expected)
    }

    @Test(
        "One slip is one step, two letters swapped included",
        arguments: [("", "abc", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "ab", 1), ("abc", "axc", 1), ("abcd", "badc", 2)])
    func distance(left: String, right: String, expected: Int) {
        #expect(Suggestion.distance(Array(left), Array(right)) == expected)
        #expect(Suggestion.distance(Array(right), Array(left)) == expected)
    }
}
