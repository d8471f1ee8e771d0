import Amodb
import Core
import Testing

@Suite("What the API tells of one title")
struct TitleDetailsTests {
    private static let movie = TitleID(mediaType: "movie", id: 7)

    private func details(_ fields: String, of title: TitleID = movie, _ parts: [DetailPart] = DetailPart.allCases) throws -> TitleDetails {
        try TitleDetails(json: Array("{\"id\": 7, \(fields)}".utf8), of: title, parts: parts)
    }

    @Test("A movie's runtime, genres, directors, first cast and ratings are read")
    func movie() throws {
        let details = try details(
            #"""
            "runtime": 104, "genres": [{"id": 1, "name": "Drama"}, {"id": 2, "name": "Fable"}], "overview": "…",
            "credits": {
                "cast": [{"name": "B", "character": "Second", "order": 1}, {"name": "A", "character": "", "order": 0}, {"name": "C"}],
                "crew": [{"name": "W", "job": "Writer"}, {"name": "D", "job": "Director"}, {"name": "E", "job": "Director"}]
            },
            "ratings": {
                "imdb": {"value": 7.9, "votes": 1200}, "kinopoisk": null, "metacritic": {"value": 74, "votes": 31},
                "rotten_tomatoes": {"value": 87}, "tmdb": {"value": 0, "votes": 0}
            }
            """#)
        #expect(details.runtimeMinutes == 104)
        #expect(details.genres == ["Drama", "Fable"])
        #expect(details.directors == ["D", "E"])
        #expect(details.cast?.map(\.name) == ["A", "B", "C"])
        #expect(details.cast?.map(\.character) == [nil, "Second", nil])
        #expect(details.ratings?.imdb?.value == 7.9 && details.ratings?.imdb?.votes == 1_200)
        #expect(details.ratings?.metacritic?.value == 74)
        #expect(details.ratings?.rottenTomatoes?.value == 87 && details.ratings?.rottenTomatoes?.votes == nil)
        #expect(details.ratings?.kinopoisk == nil)
        #expect(details.ratings?.tmdb == nil, "a nought that nobody voted for is no rating")
    }

    @Test(
        "A series has its creators, else who is said to have created or to direct it",
        arguments: [
            (#""created_by": [{"name": "A"}, {"name": "B"}], "credits": {"crew": [{"name": "D", "job": "Director"}]}"#, ["A", "B"]),
            (#""created_by": [], "credits": {"crew": [{"name": "D", "job": "Director"}, {"name": "C", "job": "Creator"}]}"#, ["C"]),
            (#""credits": {"crew": [{"name": "D", "job": "Director"}]}"#, ["D"]), (#""credits": {}"#, []), (#""x": 1"#, []),
        ])
    func series(fields: String, directors: [String]) throws {
        let details = try details(#""episode_run_time": [0, 42], "# + fields, of: TitleID(mediaType: "tv", id: 7))
        #expect(details.directors == directors)
        #expect(details.runtimeMinutes == 42)
    }

    @Test("What was not asked for is not there, whatever the answer holds")
    func parts() throws {
        let answer = #""credits": {"cast": [{"name": "A"}]}, "ratings": {"imdb": {"value": 5, "votes": 1}}"#
        let ratings = try details(answer, [.ratings])
        #expect(ratings.ratings?.imdb?.value == 5 && ratings.directors == nil && ratings.cast == nil)
        let credits = try details(answer, [.credits])
        #expect(credits.ratings == nil && credits.directors == [] && credits.cast?.count == 1)
        #expect(try details(answer).only([.ratings]) == ratings)
    }

    @Test(
        "A field that makes no sense is as good as missing, and costs no other",
        arguments: [
            #""runtime": "many""#, #""runtime": 0"#, #""runtime": -5"#, #""runtime": 1e300"#, #""runtime": null"#, #""genres": {"a": 1}"#,
            #""genres": [1, "Drama", null, {"name": []}]"#, #""credits": "none""#,
            #""credits": {"cast": 3, "crew": [null, [], {"job": 1}]}"#,
            #""ratings": []"#, #""ratings": {"imdb": "8.0"}"#, #""ratings": {"imdb": {"value": 11}}"#,
            #""ratings": {"imdb": {"value": -1}}"#,
            #""ratings": {"rotten_tomatoes": {"value": 101}}"#, #""created_by": 7"#, #""ratings": {"imdb": {}}"#,
        ])
    func odd(field: String) throws {
        let name = field.dropFirst().prefix { $0 != "\"" }
        let sound = [
            ("runtime", #""runtime": 90"#), ("genres", #""genres": [{"name": "Drama"}]"#),
            ("credits", #""credits": {"cast": [{"name": "A"}]}"#), ("ratings", #""ratings": {"tmdb": {"value": 6, "votes": 2}}"#),
        ]
        let details = try details(([field] + sound.filter { $0.0 != name }.map(\.1)).joined(separator: ", "))
        #expect(details.runtimeMinutes == (name == "runtime" ? nil : 90))
        #expect(details.genres == (name == "genres" ? [] : ["Drama"]))
        #expect(details.cast?.map(\.name) == (name == "credits" ? [] : ["A"]))
        #expect(details.ratings?.tmdb?.value == (name == "ratings" ? nil : 6))
        #expect(details.ratings?.imdb == nil && details.ratings?.rottenTomatoes == nil)
    }

    @Test("Numbers that are written as texts are numbers")
    func textNumbers() throws {
        let details = try details(#""runtime": "104", "ratings": {"imdb": {"value": "7.5", "votes": 3}}"#)
        #expect(details.runtimeMinutes == 104 && details.ratings?.imdb?.value == 7.5)
    }

    @Test("Names are cleaned as titles are, and there are never more or longer ones than make sense")
    func bounds() throws {
        let many = (0..<3_000).map { #"{"name": "N\#($0)", "job": "Director", "character": "c"}"# }.joined(separator: ",")
        let long = String(repeating: "long ", count: 2_000)
        let full = try details(
            #""genres": [\#(many)], "credits": {"cast": [{"name": "\#(long)", "character": "\#(long)"}, \#(many)], "crew": [\#(many)]}"#)
        #expect(full.genres.count == 5 && full.directors?.count == 3 && full.cast?.count == 5)
        #expect(full.cast?[0].name.count ?? 0 <= 500 && full.cast?[0].character?.count ?? 0 <= 500)
        let hostile = try details(
            #""genres": [{"name": "a\nb"}, {"name": " "}, {"name": "\u001b[2J"}], "credits": {"cast": [{"name": "\u202Ex\u202C\uFEFF", "character": "\u0000"}]}"#
        )
        #expect(hostile.genres == ["a b", "[2J"])
        #expect(hostile.cast?.map(\.name) == ["x"] && hostile.cast?[0].character == nil)
    }

    @Test(
        "What is no answer about this title is refused, in words that say what it is",
        arguments: [
            ("", "empty"), ("<html>", "HTML"), ("[]", "object"), ("{\"id\": 7", "cut-off"), ("{}", "`id` is missing"),
            ("{\"id\": \"7\"}", "`id` has the wrong type"), ("{\"id\": 8}", "another title"), ("null", "object"),
            ("{\"status_code\": 11, \"status_message\": \"Internal error.\"}", "`id` is missing"),
        ])
    func noDetails(body: String, words: String) {
        let error = #expect(throws: AmodbError.self) { try TitleDetails(json: Array(body.utf8), of: Self.movie, parts: [.ratings]) }
        #expect(error?.code == .badAnswer)
        #expect(error?.detail.contains(words) == true, "\(error?.detail ?? "")")
    }
}
