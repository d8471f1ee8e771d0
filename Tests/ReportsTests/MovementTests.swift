import FoundationEssentials
import Mirroring
import Reports
import Testing

@Suite("Movement between runs")
struct MovementTests {
    @Test("Titles rise, fall, stay, arrive and come back")
    func kinds() {
        let oldest = run(week: 46, ids: [1, 2, 3, 9])
        let previous = run(week: 47, ids: [1, 2, 3, 4])
        let now = run(week: 48, ids: [1, 3, 9, 7])
        let movements = Movements(of: now, history: [previous, now, oldest])
        #expect(now.titles.map { movements[$0] } == [.same, .up(1), .back, .new])
        #expect(Movements(of: run(week: 48, ids: [2, 1]), history: [previous])[run(week: 48, ids: [2, 1]).titles[1]] == .down(1))
    }

    @Test("The first run of a list has no movements, whatever other lists had")
    func firstRun() {
        let now = run(week: 48, ids: [1])
        #expect(Movements(of: now, history: [])[now.titles[0]] == nil)
        #expect(Movements(of: now, history: [run(week: 47, ids: [1], list: "movie/popular")])[now.titles[0]] == nil)
        #expect(Movements(of: now, history: [run(week: 47, ids: [1], language: "fr-FR")])[now.titles[0]] == nil)
    }

    @Test("An interrupted run and a later run are not compared with")
    func passedOver() {
        var interrupted = run(week: 47, ids: [5])
        interrupted.complete = false
        let now = run(week: 48, ids: [5, 6])
        let history = [run(week: 46, ids: [6, 5]), interrupted, run(week: 49, ids: [5, 6])]
        #expect(now.titles.map { Movements(of: now, history: history)[$0] } == [.up(1), .down(1)])
    }

    @Test("A second run in the same week is compared with the week before")
    func sameWeek() {
        let before = run(week: 47, ids: [2, 1])
        let first = run(week: 48, ids: [1, 2])
        let second = run(week: 48, ids: [1, 2], hour: 1)
        #expect(Movements(of: second, history: [before, first])[second.titles[0]] == .up(1))
        #expect(Movements(of: second, history: [first])[second.titles[0]] == .same)
    }

    @Test("A title further down than the previous run went is not called new")
    func deeper() {
        let now = run(week: 48, ids: [1, 2, 3])
        let movements = Movements(of: now, history: [run(week: 47, ids: [1, 5])])
        #expect(now.titles.map { movements[$0] } == [.same, .new, nil])
    }

    private func run(
        week: Int, ids: [Int], list: String = "trending/movie/week", language: String = "en-US", hour: Int = 0
    ) -> Manifest {
        let time = Date(timeIntervalSince1970: Double(week * 7 * 86_400 + hour * 3_600))
        return Manifest(
            run: "\(week)-\(hour)-\(list)", lists: [list], language: language, week: "2026-W\(week)", startedAt: time, finishedAt: time,
            complete: true, sizes: [],
            titles: ids.enumerated().map { place, id in
                Manifest.Title(
                    rank: place + 1, list: list, id: id, mediaType: "movie", title: "Title \(id)", year: nil, score: nil, poster: nil,
                    missing: nil)
            })
    }
}
