import Testing

@testable import Gateway

@Suite("What may be asked")
struct RequestPolicyTests {
    private func question(_ target: String, allowing patterns: [String] = []) throws -> String {
        let policy = RequestPolicy(allowing: try patterns.map { try RoutePattern($0) })
        let question = try policy.question(in: RequestTarget(target))
        return question.path + "?" + question.items.map { "\($0)=\($1)" }.joined(separator: "&")
    }

    private func status(_ target: String) -> Int {
        do {
            _ = try question(target)
            return 200
        } catch let problem as Problem {
            return problem.status
        } catch {
            return 0
        }
    }

    @Test(
        "However a question is written, it is asked in one way",
        arguments: [
            ("/3/trending/movie/week", "trending/movie/week?"),
            ("/3/trending/movie/week?page=1", "trending/movie/week?"),
            ("/3/trending/movie/week?page=01&language=en-us", "trending/movie/week?"),
            ("/3/trending/movie/week?page=2&language=DE-de", "trending/movie/week?language=de-DE&page=2"),
            ("/3/trending/movie/week?language=de-DE&&page=2&", "trending/movie/week?language=de-DE&page=2"),
            ("/3/trending/movie/week?l%61nguage=de&page=%32", "trending/movie/week?language=de&page=2"),
            ("/3/movie/603?append_to_response=ratings,credits,ratings", "movie/603?append_to_response=credits,ratings"),
            ("/3/movie/603?api_key=whatever&language=", "movie/603?"),
            ("/3/search/movie?query=two+words&include_adult=false", "search/movie?query=two words"),
            ("/3/search/movie?query=two%20words", "search/movie?query=two words"),
            ("/3/movie/popular?region=de", "movie/popular?region=DE"),
            ("/%33/movie/popular", "movie/popular?"),
        ])
    func canonical(target: String, expected: String) throws {
        #expect(try question(target) == expected)
    }

    @Test(
        "Other paths are not there",
        arguments: [
            "/3/account", "/3/movie", "/3/movie/603/account_states", "/3/movie/0603", "/3/movie/-1", "/3/movie/12345678901", "/3/movie/abc",
            "/3/authentication/token/new", "/3/trending/movie/week/", "/3/Trending/movie/week", "/3/", "/3/trending%20/movie/week",
            "/3/movie/%2e%2e%2fpopular%00x".replacing("%00x", with: ""),
        ])
    func notThere(target: String) {
        #expect([400, 404].contains(status(target)))
    }

    @Test(
        "What could be read in two ways is malformed",
        arguments: [
            "/3/movie/popular?page=1&page=2", "/3/movie/popular?page=1&p%61ge=2", "/3/movie/popular?page=0", "/3/movie/popular?page=501",
            "/3/movie/popular?page=1e2", "/3/movie/popular?page=%2B1", "/3/movie/popular?language=../..",
            "/3/movie/popular?language=de%0d%0aX:y",
            "/3/movie/popular?query=x", "/3/movie/popular?unknown=1", "/3/movie/popular?=1", "/3/movie/popular?page=%",
            "/3/movie/popular?page=%zz",
            "/3/search/movie?query=%00", "/3/search/movie?query=%ff%fe", "/3/search/movie?query=%c0%af", "/3/search/movie?query=%0a",
            "/3//movie/popular", "/3/./movie/popular", "/3/../3/movie/popular", "/3/%2e%2e/3/movie/popular", "/3/movie%2fpopular",
            "/3/movie%5cpopular", "/3/movie/popular%00", "/3/movie/popular%0d%0a", "/3/movie/popular?a=1#x", "3/movie/popular", "*",
            "http://elsewhere/3/movie/popular", "/3/movie/popular?" + (0...30).map { "a\($0)=" }.joined(separator: "&"),
            "/3/search/movie?query=" + String(repeating: "a", count: 201),
        ])
    func malformed(target: String) {
        #expect(status(target) == 400, "\(target)")
    }

    @Test("A target that is too long is too long")
    func overlong() {
        #expect(status("/3/search/movie?query=" + String(repeating: "a", count: 3_000)) == 414)
    }

    @Test("The owner's patterns let more through, and nothing else")
    func patterns() throws {
        #expect(try question("/3/person/5", allowing: ["person/{id}"]) == "person/5?")
        #expect(
            try question("/3/discover/movie?sort_by=x&page=2", allowing: ["/3/discover/movie?page&sort_by"])
                == "discover/movie?page=2&sort_by=x")
        #expect(
            try question("/3/find/tt1234567?external_source=imdb_id", allowing: ["find/{word}?external_source"]).hasPrefix("find/tt1234567")
        )
        #expect(throws: Problem.self) { try question("/3/person/5/images", allowing: ["person/{id}"]) }
        #expect(throws: Problem.self) { try question("/3/person/x", allowing: ["person/{id}"]) }
        for bad in ["", "person//x", "person/{name}", "../x", "person/*", "person?api_key", "person?a b"] {
            #expect(throws: RoutePatternError.self, "\(bad)") { try RoutePattern(bad) }
        }
    }
}
