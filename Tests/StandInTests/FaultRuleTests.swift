import Testing

@testable import StandIn

@Suite("Fault rules")
struct FaultRuleTests {
    private func hits(_ text: String, paths: [String]) throws -> [Bool] {
        let book = FaultBook([try FaultRule(text)])
        return paths.map { book.rule(for: RequestArea(path: $0), path: $0) != nil }
    }

    private let image = "/t/p/w342/a.jpg"

    @Test("The first N requests, those after N, and every Nth")
    func counts() throws {
        let five = Array(repeating: image, count: 5)
        #expect(try hits("images first=2 reset", paths: five) == [true, true, false, false, false])
        #expect(try hits("images after=3 reset", paths: five) == [false, false, false, true, true])
        #expect(try hits("images every=2 reset", paths: five) == [false, true, false, true, false])
        #expect(try hits("images after=1 first=1 reset", paths: five) == [false, true, false, false, false])
    }

    @Test("Requests can be counted for each path apart")
    func each() throws {
        let paths = [image, "/t/p/w342/b.jpg", image, "/t/p/w342/b.jpg"]
        #expect(try hits("each first=1 reset", paths: paths) == [true, true, false, false])
        #expect(try hits("first=1 reset", paths: paths) == [true, false, false, false])
    }

    @Test("Area, size and a piece of the path choose the requests")
    func selection() throws {
        let paths = ["/3/movie/popular", image, "/t/p/w185/a.jpg"]
        #expect(try hits("api reset", paths: paths) == [true, false, false])
        #expect(try hits("images reset", paths: paths) == [false, true, true])
        #expect(try hits("size=w185 reset", paths: paths) == [false, false, true])
        #expect(try hits("path=popular reset", paths: paths) == [true, false, false])
    }

    @Test("A chance hits about as many paths as it says, and the same ones each time")
    func chance() throws {
        let paths = (0..<1_000).map { "/t/p/w342/\($0).jpg" }
        let first = try hits("chance=20% seed=7 reset", paths: paths)
        #expect((150...250).contains(first.filter { $0 }.count))
        #expect(try hits("chance=20% seed=7 reset", paths: paths.reversed()) == first.reversed())
        #expect(try hits("chance=20% seed=8 reset", paths: paths) != first)
    }

    @Test(
        "What is wrong with a rule is named",
        arguments: [
            ("images resett", "resett"), ("images", "what happens"), ("images status=abc", "status=abc"), ("images json=nope", "truncated"),
            ("images truncate=150%", "truncate=150%"), ("length=5", "length=5"), ("header=X", "colon"),
        ])
    func errors(text: String, part: String) {
        let error = #expect(throws: FaultRuleError.self) { try FaultRule(text) }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }

    @Test("Many rules are read from lines, comments left out")
    func lines() throws {
        let rules = try FaultRule.rules(in: "# a comment\nimages reset\n\n  api   status=500  \n")
        #expect(rules.map(\.description) == ["images reset", "api status=500"])
    }
}
