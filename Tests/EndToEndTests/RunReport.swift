import Core

/// What `posterity mirror --json` prints.
struct RunReport: Decodable {
    struct Summary: Decodable {
        let titles: Int
        let withoutPoster: Int
        let pictures: Int
        let fetched: Int
        let unchanged: Int
        let fresh: Int
        let kept: Int
        let failed: Int
        let rendered: Int
        let reasons: [String: Int]
        let requests: Int
    }

    let cache: String
    let manifest: String
    let run: String
    let summary: Summary

    init(_ ending: ProgramUnderTest.Ending) throws {
        self = try JSONText.decode(RunReport.self, from: Array(ending.output.utf8))
    }
}
