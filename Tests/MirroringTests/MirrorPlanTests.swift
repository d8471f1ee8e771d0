import Amodb
import Mirroring
import Testing
import Transfer

@Suite("What a run has to see to")
struct MirrorPlanTests {
    private static let popular = ListPath("movie/popular")!

    private func title(_ id: Int, _ path: String?) -> Title {
        Title(id: id, mediaType: "movie", title: "Vardelund \(id)", year: 2026, score: 7, posterPath: path)
    }

    private func plan(_ titles: [(list: ListPath, titles: [Title])], _ change: (inout MirrorRequest) -> Void = { _ in }) throws
        -> MirrorPlan
    {
        var request = MirrorRequest(images: try WebAddress("http://127.0.0.1:8080/t/p"))
        request.lists = titles.map(\.list)
        change(&request)
        return MirrorPlan(titles: titles, request: request)
    }

    @Test("Every poster is wanted in every size; a title without one takes its rank and no picture")
    func pictures() throws {
        let plan = try plan([(.trendingMoviesThisWeek, [title(1, "/a.jpg"), title(2, nil), title(3, "/c.jpg")])])
        #expect(plan.entries.map(\.rank) == [1, 2, 3])
        #expect(
            plan.pictures.map(\.url.text)
                == ["a", "c"].flatMap { name in
                    ["w185", "w342", "w500"].map { "http://127.0.0.1:8080/t/p/\($0)/\(name).jpg" }
                })
        #expect(plan.pictures.allSatisfy { $0.targets == [$0.size] })
    }

    @Test("A poster that titles or lists share is fetched once")
    func shared() throws {
        let plan = try plan([
            (.trendingMoviesThisWeek, [title(1, "/a.jpg"), title(2, "/a.jpg")]), (Self.popular, [title(3, "/b.jpg"), title(1, "/a.jpg")]),
        ])
        #expect(plan.entries.map(\.rank) == [1, 2, 1, 2])
        #expect(plan.pictures.map(\.posterPath) == ["/a.jpg", "/a.jpg", "/a.jpg", "/b.jpg", "/b.jpg", "/b.jpg"])
    }

    @Test("Paths that Swift takes for the same text, but not a host, are two posters")
    func normalization() throws {
        let plan = try plan([(.trendingMoviesThisWeek, [title(1, "/\u{E9}.jpg"), title(2, "/e\u{301}.jpg")])]) {
            $0.sizes = ["w92"].compactMap(PosterSize.init)
        }
        #expect(plan.pictures.map(\.url.text) == ["%C3%A9", "e%CC%81"].map { "http://127.0.0.1:8080/t/p/w92/\($0).jpg" })
    }

    @Test(
        "A path that no URL may be built from is refused with a reason, and the others are seen to",
        arguments: [
            "/../a.jpg", "//example.com/a.jpg", "a.jpg", "http://example.com/a.jpg", "/a\\b.jpg", "/a\u{0}.jpg", "/a\nb.jpg",
            "/%2e%2e/a.jpg/..",
        ])
    func hostile(path: String) throws {
        let plan = try plan([(.trendingMoviesThisWeek, [title(1, path), title(2, "/b.jpg"), title(3, path)])])
        #expect(plan.pictures.map(\.posterPath) == ["/b.jpg", "/b.jpg", "/b.jpg"])
        #expect(plan.refusedPaths.keys.map(\.self) == [path])
        #expect(plan.refusedPaths[path]?.isEmpty == false)
    }

    @Test("When all is derived from one size, only that is fetched, for all the others")
    func derived() throws {
        let plan = try plan([(.trendingMoviesThisWeek, [title(1, "/a.jpg")])]) { $0.deriveFrom = PosterSize("w780") }
        #expect(plan.pictures.map(\.size.token) == ["w780"])
        #expect(plan.pictures.first?.targets.map(\.token) == ["w185", "w342", "w500"])
    }

    @Test(
        "What is no size of the host's is none",
        arguments: ["", "w", "w0", "w05", "w12345", "x10", "W185", "w1 ", "originals", "w１", "w-1"])
    func noSize(token: String) {
        #expect(PosterSize(token) == nil)
    }
}
