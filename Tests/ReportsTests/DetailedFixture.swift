import FoundationEssentials
import Mirroring

extension Manifest {
    /// This run with details of every title but each fifth: short and long names, several scripts, some that try to break a page, and some
    /// of which little is known.
    func detailed() -> Manifest {
        var detailed = self
        detailed.details = ["credits", "ratings"]
        for place in titles.indices where place % 5 != 4 { detailed.titles[place].details = Self.details(place, fetchedAt: startedAt) }
        return detailed
    }

    private static let people = [
        "Ines Okonjo-Lindqvist", "كريم النهر", "רות הגשר", "灯 守", "Bartholomew Featherstonehaugh-Cholmondeley of the Northern Lighthouses",
        "<b>Bo</b> & Co", "A\u{202E}desrever", "Łucja Żak", "",
    ]

    private static func details(_ place: Int, fetchedAt: Date) -> Details {
        let names = (0..<5).map { people[(place + $0 * 2) % people.count] }
        let ratings: [[ScoreSource: Rating]] = [
            [.imdb: Rating(value: 7.94, votes: 1_200), .rottenTomatoes: Rating(value: 87, votes: nil)],
            [.rottenTomatoes: Rating(value: 41, votes: 3), .metacritic: Rating(value: 74, votes: 9)], [:],
            [.kinopoisk: Rating(value: 6.5, votes: 4), .metacritic: Rating(value: 60, votes: 9)],
        ]
        return Details(
            fetchedAt: fetchedAt, runtimeMinutes: place % 7 == 6 ? nil : 60 + place,
            genres: [["Drama", "Fable"], ["Mystery"], [], ["</p>"]][place % 4],
            ratings: Ratings(ratings[place % 4]), directors: place % 6 == 5 ? [] : Array(names.prefix(1 + place % 2)),
            cast: names.map { Role(name: $0, character: nil) })
    }
}
