import Core
import Testing

@testable import StandIn

@Suite("The stand-in’s API")
struct StandInAPITests {
    private struct Page: Decodable {
        struct Result: Decodable {
            var id: Int
            var title: String?
            var name: String?
            var release_date: String?
            var first_air_date: String?
            var media_type: String?
            var vote_average: Double
        }
        var page: Int
        var results: [Result]
        var total_pages: Int
        var total_results: Int
    }

    private struct Problem: Decodable {
        var status_code: Int
        var status_message: String
    }

    private static let key = ["Authorization: Bearer posterity-demo"]

    private func page(_ client: RawClient, _ target: String) async throws -> Page {
        let answer = await client.get(target, headers: Self.key)
        try #require(answer.status == 200, "\(target): \(answer.status) \(answer.text)")
        return try JSONText.decode(Page.self, from: answer.body)
    }

    @Test("A list comes in pages of twenty, which together hold every title once")
    func pages() async throws {
        try await StandIn.withStandIn { standIn in
            let client = RawClient(standIn.apiURL)
            let first = try await page(client, "/3/trending/movie/week?language=en-US&page=1")
            #expect(first.results.count == 20)
            var ids: [Int] = []
            for number in 1...first.total_pages {
                let page = try await page(client, "/3/trending/movie/week?page=\(number)")
                #expect(page.page == number)
                ids += page.results.map(\.id)
            }
            #expect(ids.count == first.total_results)
            #expect(Set(ids).count == ids.count)
            let beyond = try await page(client, "/3/trending/movie/week?page=\(first.total_pages + 1)")
            #expect(beyond.results.isEmpty)
            for wrong in ["0", "501", "x", "-1"] {
                #expect(await client.get("/3/movie/popular?page=\(wrong)", headers: Self.key).status == 400)
            }
        }
    }

    @Test("Series have a name and a first air date, movies a title and a release date")
    func series() async throws {
        try await StandIn.withStandIn { standIn in
            let client = RawClient(standIn.apiURL)
            let series = try await page(client, "/3/tv/popular")
            #expect(series.results.allSatisfy { $0.name != nil && $0.title == nil && $0.release_date == nil })
            let all = try await page(client, "/3/trending/all/day")
            #expect(Set(all.results.compactMap(\.media_type)) == ["movie", "tv"])
        }
    }

    @Test("The language changes titles; one that is not spoken gives English")
    func language() async throws {
        try await StandIn.withStandIn { standIn in
            let client = RawClient(standIn.apiURL)
            let english = try await page(client, "/3/movie/popular?language=en-US").results.map(\.title)
            #expect(try await page(client, "/3/movie/popular?language=ja-JP").results.map(\.title) != english)
            #expect(try await page(client, "/3/movie/popular?language=xx-XX").results.map(\.title) == english)
        }
    }

    @Test("A key is asked for, and each kind of bad one is answered as the API does")
    func keys() async throws {
        try await StandIn.withStandIn { standIn in
            let client = RawClient(standIn.apiURL)
            let cases: [(header: String?, query: String, status: Int, code: Int)] = [
                ("Bearer posterity-demo", "", 200, 0), (nil, "?api_key=posterity-demo", 200, 0), (nil, "", 401, 7),
                ("Bearer wrong", "", 401, 7), ("Basic posterity-demo", "", 401, 7), ("Bearer posterity-suspended", "", 401, 10),
                ("Bearer posterity-expired", "", 402, 45),
            ]
            for one in cases {
                let headers = one.header.map { ["Authorization: \($0)"] } ?? []
                let answer = await client.get("/3/movie/popular\(one.query)", headers: headers)
                #expect(answer.status == one.status, "\(one)")
                guard one.status != 200 else { continue }
                let problem = try JSONText.decode(Problem.self, from: answer.body)
                #expect(problem.status_code == one.code && !problem.status_message.isEmpty)
            }
            #expect(standIn.requests.allSatisfy { !$0.target.contains("posterity-demo") })
        }
    }

    @Test("A key that has used up its minute gets 429 with the seconds to wait")
    func rateLimit() async throws {
        var options = StandInOptions()
        options.requestsPerMinute = 3
        try await StandIn.withStandIn(options) { standIn in
            let client = RawClient(standIn.apiURL)
            for _ in 0..<3 { #expect(await client.get("/3/movie/popular", headers: Self.key).status == 200) }
            let answer = await client.get("/3/movie/popular", headers: Self.key)
            #expect(answer.status == 429)
            let seconds = try #require(answer.header("Retry-After").flatMap { Int($0) })
            #expect((1...60).contains(seconds))
        }
    }

    @Test("A title’s details hold credits and ratings only when they are asked for")
    func details() async throws {
        struct Rating: Decodable {
            var value: Double
            var votes: Int
        }
        struct Details: Decodable {
            struct Credits: Decodable {}
            var id: Int
            var credits: Credits?
            var ratings: [String: Rating?]?
        }
        try await StandIn.withStandIn { standIn in
            let client = RawClient(standIn.apiURL)
            let movie = try await page(client, "/3/movie/popular").results[0]
            let plain = await client.get("/3/movie/\(movie.id)", headers: Self.key)
            let full = await client.get("/3/movie/\(movie.id)?append_to_response=credits,ratings", headers: Self.key)
            let first = try JSONText.decode(Details.self, from: plain.body)
            #expect(first.id == movie.id && first.credits == nil && first.ratings == nil)
            let second = try JSONText.decode(Details.self, from: full.body)
            #expect(second.credits != nil)
            #expect(Set(second.ratings?.keys.map(\.self) ?? []) == ["imdb", "kinopoisk", "metacritic", "rotten_tomatoes", "tmdb"])
            #expect(await client.get("/3/tv/\(movie.id)", headers: Self.key).status == 404)
        }
    }

    @Test("API and images can have ports of their own")
    func ports() async throws {
        var options = StandInOptions()
        options.imagesPort = 0
        try await StandIn.withStandIn(options) { standIn in
            #expect(RawClient(standIn.apiURL).port != RawClient(standIn.imagesURL).port)
            #expect(await RawClient(standIn.imagesURL).get("/t/p/w342/nothing.jpg").status == 404)
        }
    }

    @Test("A stand-in that runs until it is told to stop says where it is, and stops without an error")
    func runs() async throws {
        let (addresses, announce) = AsyncStream<String>.makeStream()
        let task = Task { try await StandIn.run(StandInOptions()) { announce.yield($0.apiURL) } }
        var iterator = addresses.makeAsyncIterator()
        let url = try #require(await iterator.next())
        #expect(await RawClient(url).get("/3/movie/popular", headers: Self.key).status == 200)
        task.cancel()
        try await task.value
        #expect(await RawClient(url).get("/3/movie/popular", headers: Self.key).status == 0)
    }
}
