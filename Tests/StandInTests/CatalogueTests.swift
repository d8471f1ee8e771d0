import Testing

@testable import StandIn

@Suite("The catalogue")
struct CatalogueTests {
    let sample = Catalogue()

    @Test("The sample has at least 400 titles, movies and series, each with an id, a poster path and a name of its own")
    func sampleIsLarge() {
        #expect(sample.titles.count >= 400)
        #expect(sample.titles.filter { $0.kind == .tv }.count >= 100)
        #expect(Set(sample.titles.map(\.id)).count == sample.titles.count)
        let paths = sample.titles.compactMap(\.posterPath).filter { !$0.isEmpty }
        #expect(Set(paths).count == paths.count)
        #expect(Set(sample.titles.map(\.originalTitle)).count == sample.titles.count)
    }

    @Test("Two catalogues are the same")
    func isDeterministic() {
        #expect(Catalogue().titles.map(\.originalTitle) == sample.titles.map(\.originalTitle))
        #expect(Catalogue().titles.map(\.posterPath) == sample.titles.map(\.posterPath))
    }

    @Test(
        "The sample has titles in every script",
        arguments: [
            0x41...0x5A, 0x410...0x42F, 0x391...0x3A9, 0x627...0x64A, 0x5D0...0x5EA, 0x905...0x939, 0x4E00...0x9FFF, 0x30A1...0x30FA,
            0xAC00...0xD7A3, 0x1F300...0x1FAFF,
        ] as [ClosedRange<UInt32>])
    func scripts(range: ClosedRange<UInt32>) {
        let shown = sample.titles.map { $0.title(in: .english) }
        #expect(shown.filter { $0.unicodeScalars.contains { range.contains($0.value) } }.count >= 4)
    }

    @Test("The sample has what real lists have: no poster, an empty one, no date, an empty one, no votes, a title of 250 letters")
    func gaps() {
        #expect(sample.titles.contains { $0.posterPath == nil })
        #expect(sample.titles.contains { $0.posterPath == "" })
        #expect(sample.titles.contains { $0.date == nil })
        #expect(sample.titles.contains { $0.date == "" })
        #expect(sample.titles.contains { $0.voteCount == 0 && $0.voteAverage == 0 })
        #expect(sample.titles.contains { $0.originalTitle.count >= 250 })
    }

    @Test("Every title holds an invented name, so that none can be a real film's")
    func namesAreInvented() {
        for title in sample.titles {
            let name = title.name.spelt(in: title.original.alphabet)
            #expect(title.originalTitle.contains(name), "\(title.originalTitle)")
        }
    }

    @Test("A translated title differs from language to language, and an unknown language is English")
    func languages() throws {
        let title = try #require(sample.titles.first { $0.original.code == "en" })
        let titles = Tongue.all.map { title.title(in: $0) }
        #expect(Tongue.all.count == 14)
        #expect(Set(titles).count == 14)
        #expect(title.title(in: .named("tlh-XX")) == title.title(in: .named("en-US")))
        #expect(title.title(in: .named("de-AT")) == title.title(in: .named("de")))
    }

    @Test("From one week to the next ranks shift, a few titles come and a few go, and most stay")
    func weeks() throws {
        let before = try #require(sample.list("trending/movie/week", week: 1)).map(\.id)
        let after = try #require(sample.list("trending/movie/week", week: 2)).map(\.id)
        let stayed = Set(before).intersection(after).count
        #expect(before != after)
        #expect(stayed < before.count)
        #expect(stayed > before.count * 8 / 10)
    }

    @Test("Each list has an order or a choice of its own")
    func lists() {
        let paths =
            ["movie", "tv", "all"].flatMap { ["trending/\($0)/day", "trending/\($0)/week"] }
            + ["now_playing", "popular", "top_rated", "upcoming"].map { "movie/\($0)" }
            + ["airing_today", "on_the_air", "popular", "top_rated"].map { "tv/\($0)" }
        let lists = paths.map { sample.list($0, week: 0)?.map(\.id) ?? [] }
        #expect(lists.allSatisfy { $0.count > 20 })
        #expect(Set(lists).count == paths.count)
        #expect(sample.list("trending/person/week", week: 0) == nil)
        #expect(sample.list("movie/latest", week: 0) == nil)
    }

    @Test("A benchmark's catalogue has as many movies in each list as asked for, all with posters")
    func benchmark() {
        let catalogue = Catalogue(movies: 5_000)
        for path in ["trending/movie/week", "movie/popular", "movie/top_rated", "movie/upcoming"] {
            let list = catalogue.list(path, week: 0) ?? []
            #expect(list.count == 5_000)
            #expect(list.allSatisfy { $0.posterPath?.isEmpty == false })
        }
        #expect(Set(catalogue.titles.map(\.originalTitle)).count > 4_990)
    }
}
