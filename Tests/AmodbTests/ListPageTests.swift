import Amodb
import Testing

@Suite("A page of a list")
struct ListPageTests {
    private func page(_ results: String, rest: String = "\"total_pages\": 7, \"total_results\": 140", mediaType: String? = "movie") throws
        -> ListPage
    {
        try ListPage(json: Array("{\"page\": 1, \"results\": [\(results)], \(rest)}".utf8), mediaType: mediaType)
    }

    @Test("A movie is read, and fields that nobody knows are ignored")
    func movie() throws {
        let page = try page(
            #"{"id": 7, "title": "Vardelund", "release_date": "2026-03-01", "poster_path": "/a.jpg", "vote_average": 7.25, "vote_count": 9, "x": {}}"#
        )
        #expect(page.titles == [Title(id: 7, mediaType: "movie", title: "Vardelund", year: 2026, score: 7.25, posterPath: "/a.jpg")])
        #expect(page.totalPages == 7)
    }

    @Test("A series has a name and a first air date")
    func series() throws {
        let page = try page(#"{"id": 8, "name": "Omkring", "first_air_date": "1999-12-31", "poster_path": null}"#, mediaType: "tv")
        #expect(page.titles == [Title(id: 8, mediaType: "tv", title: "Omkring", year: 1999, score: nil, posterPath: nil)])
    }

    @Test("In mixed lists a result says what it is; people are neither movies nor series, and no failure")
    func mixed() throws {
        let page = try page(
            #"""
            {"id": 1, "media_type": "movie", "title": "A"}, {"id": 1, "media_type": "tv", "name": "B"},
            {"id": 2, "media_type": "person", "name": "C"}
            """#, mediaType: nil)
        #expect(page.titles.map(\.mediaType) == ["movie", "tv"])
        #expect(page.otherResults == 1)
        #expect(page.unreadableResults.isEmpty)
    }

    @Test(
        "Missing, empty and absurd dates are no year",
        arguments: ["null", "\"\"", "\"0000-00-00\"", "\"99999\"", "\"soon\"", "20260101", "{}"])
    func noYear(date: String) throws {
        let page = try page("{\"id\": 1, \"title\": \"A\", \"release_date\": \(date)}")
        #expect(page.titles.first?.year == nil)
        #expect(page.titles.count == 1)
    }

    @Test(
        "A score is between 0 and 10, and needs a vote",
        arguments: [
            ("7.5", "3", 7.5), ("\"7.5\"", "3", 7.5), ("7.5", "null", 7.5), ("0", "0", nil), ("0.0", "null", nil), ("6.0", "0", nil),
            ("null", "3", nil), ("11", "3", nil), ("-1", "3", nil), ("\"NaN\"", "3", nil), ("[]", "3", nil),
        ] as [(String, String, Double?)])
    func score(average: String, votes: String, score: Double?) throws {
        let page = try page("{\"id\": 1, \"title\": \"A\", \"vote_average\": \(average), \"vote_count\": \(votes)}")
        #expect(page.titles.map(\.score) == [score])
    }

    @Test("An empty poster path is no poster", arguments: ["null", "\"\"", "5", "false"])
    func noPoster(path: String) throws {
        let page = try page("{\"id\": 1, \"title\": \"A\", \"poster_path\": \(path)}")
        #expect(page.titles.map(\.posterPath) == [nil])
    }

    @Test(
        "A result that makes no sense is left out and counted, and the others stay",
        arguments: [
            "null", "5", "[]", "{}", #"{"id": "x", "title": "A"}"#, #"{"id": 0, "title": "A"}"#, #"{"id": 3}"#,
            #"{"id": 3, "title": "\u0000\u202e "}"#,
        ])
    func unreadable(result: String) throws {
        let page = try page("\(result), {\"id\": 9, \"title\": \"Good\"}")
        #expect(page.titles.map(\.title) == ["Good"])
        #expect(page.unreadableResults.count == 1)
    }

    @Test("A result that is left out is named by its place and what it says of itself")
    func nameOfUnreadable() throws {
        let page = try page(#"{"id": 9, "title": "Good"}, {"id": 3}, {"title": "Vardelund"}, null"#)
        #expect(page.unreadableResults == ["result 2 (id 3)", "result 3 (\"Vardelund\")", "result 4"])
    }

    @Test("A result with an id and a poster but no name is a title all the same")
    func untitled() throws {
        let page = try page(#"{"id": 3, "title": " ", "poster_path": "/a.jpg"}"#)
        #expect(page.titles.map(\.title) == ["(untitled)"])
    }

    @Test("A title loses what could forge a line or turn one around, and keeps every script")
    func hostileTitle() throws {
        let page = try page(#"{"id": 1, "title": "  a\n\u001b[31mb\u0000c\u202ed\u2066 e\u2028f — שלום 東京 👩‍👩‍👧 "}"#)
        #expect(page.titles.map(\.title) == ["a [31mb cd e f — שלום 東京 👩‍👩‍👧"])
    }

    @Test("An absurdly long title is cut")
    func longTitle() throws {
        let page = try page("{\"id\": 1, \"title\": \"\(String(repeating: "ab ", count: 100_000))\"}")
        #expect((1...500).contains(try #require(page.titles.first).title.count))
    }

    @Test(
        "What is no page of results is refused with a word on what it is",
        arguments: [
            ("", "it is empty"), ("   \n", "it is empty"), ("<!doctype html><title>x</title>", "it is HTML or XML"),
            ("{\"page\": 1}", "`results` is missing"),
            ("{\"results\": {}}", "`results` has the wrong type"), ("{\"results\": null}", "`results`"), ("[]", "it is not a JSON object"),
            ("{\"results\": [{", "broken or cut-off JSON"),
            ("{\"results\": [], \"total_pages\": \"many\"}", "`total_pages` has the wrong type"),
            (String(repeating: "[", count: 100_000), "JSON"),
        ])
    func refused(body: String, word: String) throws {
        let error = #expect(throws: AmodbError.self) { try ListPage(json: Array(body.utf8), mediaType: nil) }
        #expect(error?.code == .badAnswer)
        #expect(error?.detail.contains(word) == true, "\(error?.detail ?? "")")
    }
}
