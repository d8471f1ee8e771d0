/// One invented movie or series.
struct CatalogueTitle: Sendable {
    enum Kind: String, Sendable {
        case movie, tv
    }

    /// Place in the catalogue, from 0; everything about the title follows from it.
    let index: Int
    let kind: Kind
    let id: Int
    let name: InventedName
    let thing: Int
    /// The language that it was made in.
    let original: Tongue
    /// Whether it has titles in other languages; else it shows its original title everywhere.
    let isTranslated: Bool
    let originalTitle: String
    private let englishTitle: String
    /// `2024-05-17`; empty when the API gives an empty one, nil when it leaves it out.
    let date: String?
    /// 0 to 10.
    let voteAverage: Double
    let voteCount: Int
    let popularity: Double
    /// `/k3Jx….jpg`; empty or nil when the API names none.
    let posterPath: String?

    /// - Parameter isPlain: with a poster, a date and votes in any case.
    init(index: Int, kind: Kind, isPlain: Bool) {
        var random = StableRandom(1, index)
        self.index = index
        self.kind = kind
        id = 100_000 + index * 37 + (kind == .tv ? 11 : 0)
        name = InventedName(&random)
        thing = random.below(Tongue.thingCount)
        let codes = [
            "en", "en", "en", "ru", "en", "ja", "fr", "en", "ar", "de", "el", "en", "zh", "es", "he", "en", "hi", "it", "ko", "pt",
        ]
        let original = Self.isSpecial(index) ? Tongue.english : Tongue.named(codes[index % codes.count])
        self.original = original
        isTranslated = original.code == "en" || random.below(3) == 0
        englishTitle = Self.englishTitle(index: index, thing: thing, name: name, random: &random)
        originalTitle = original.code == "en" ? englishTitle : original.title(thing: thing, name: name)

        let year = random.below(3) == 0 ? 1921 + random.below(105) : 2015 + random.below(12)
        let (month, day) = (1 + random.below(12), 1 + random.below(28))
        let fullDate = "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)"
        let votes = Int(random.within(2...4.6).exponentOfTen)
        let average = Double(Int(random.within(42...93))) / 10
        popularity = Double(Int(random.within(1...3).exponentOfTen * 100)) / 100
        let path = Self.posterPath(index: index)
        if isPlain {
            (date, voteCount, voteAverage, posterPath) = (fullDate, votes, average, path)
        } else {
            date = index % 41 == 5 ? nil : index % 43 == 9 ? "" : fullDate
            voteCount = index % 29 == 3 ? 0 : votes
            voteAverage = index % 29 == 3 ? 0 : average
            posterPath = index % 37 == 11 ? nil : index % 67 == 23 ? "" : path
        }
    }

    func title(in tongue: Tongue) -> String {
        guard isTranslated else { return originalTitle }
        if tongue.code == original.code { return originalTitle }
        return tongue.code == "en" ? englishTitle : tongue.title(thing: thing, name: name)
    }

    // MARK: - Private

    /// Whether the title is one of those below that try a reader's or a program's patience.
    private static func isSpecial(_ index: Int) -> Bool {
        index % 53 == 7 || index % 97 == 31 || index % 101 == 17 || index % 103 == 19
    }

    private static func englishTitle(index: Int, thing: Int, name: InventedName, random: inout StableRandom) -> String {
        let phrases = [
            "The # of @", "@", "The Last # of @", "Seven Days in @", "Dear @", "Waiting for @", "The @ #", "Return to @", "One # for @",
            "How We Lost @",
            "# No. 9, @", "Nobody Sleeps in @", "The # Keepers of @", "@: The # Story", "Before @", "Under the @ #",
        ]
        let title = Tongue.english.fill(random.pick(phrases), thing: thing, name: name)
        let other = InventedName(&random).spelt(in: .latin)
        switch index {
        case _ where index % 53 == 7:
            return random.pick(["🌙 ", "🏮 ", "👩‍🚀 ", "🏝️ ", "🏳️‍🌈 ", "🎻 "]) + title + random.pick(["", " 🔥", " ✨", " 🫖"])
        case _ where index % 97 == 31:
            return title
                + ", or the True and Complete Account of How the Honourable Company of \(other) Crossed the Frozen Sea, Lost Every Map, Two Pianos"
                + " and the Better Part of a Winter, and Came Home by Way of the Moon with Nothing to Show for It but a Song That Nobody Could Finish"
        case _ where index % 101 == 17: return "\(name.spelt(in: .latin)) & <\(other)>: “It’s \"Nothing\"”"
        // Decomposed on purpose: an e and an o with their accents as characters of their own.
        case _ where index % 103 == 19: return "Le Cafe\u{301} de \(name.spelt(in: .latin)) et le Ro\u{302}le"
        default: return title
        }
    }

    private static func posterPath(index: Int) -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
        var random = StableRandom(2, index)
        return "/" + String((0..<27).map { _ in random.pick(letters) }) + ".jpg"
    }
}

extension Double {
    /// Ten to the power of this, by multiplication alone, so that the last bit is the same everywhere.
    fileprivate var exponentOfTen: Double {
        var (whole, rest) = (Int(self), self - self.rounded(.down))
        var value = 1.0
        while whole > 0 {
            value *= 10
            whole -= 1
        }
        rest *= 9
        return value * (1 + rest)
    }
}
