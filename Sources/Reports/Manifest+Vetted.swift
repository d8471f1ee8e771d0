internal import Core
internal import Mirroring

/// A manifest is a file that anybody may have written or damaged. What reports reckon with is made sure of here, once, so that no number in
/// one can bring the program down; what stands in the file itself is published unchanged.
extension Manifest {
    /// This manifest with every number and tag in a range that makes sense; a sound one as it is.
    ///
    /// Pictures stay as they are: one whose size makes no sense is to be reported, not passed over (``isPlausiblePicture(width:height:bytes:)``).
    var vetted: Manifest {
        var vetted = self
        if ISOWeek(week) == nil { vetted.week = String(DisplayText.cleaned(week).prefix(20)) }
        vetted.language = Self.vettedLanguage(language)
        var places: [String: Int] = [:]
        for index in vetted.titles.indices {
            let place = places[vetted.titles[index].list, default: 0] + 1
            places[vetted.titles[index].list] = place
            vetted.titles[index].vet(place: place)
        }
        return vetted
    }

    /// Whether a picture can be this large: 16,384 pixels along a side is what the cache takes in, and 1 GiB is beyond any of them.
    static func isPlausiblePicture(width: Int, height: Int, bytes: Int) -> Bool {
        (1...16_384).contains(width) && (1...16_384).contains(height) && (1...1 << 30).contains(bytes)
    }

    /// A tag of BCP 47 is letters, digits and hyphens; 35 of them are enough for any that is in use.
    private static func vettedLanguage(_ tag: String) -> String {
        let isTag =
            (1...35).contains(tag.utf8.count) && tag.unicodeScalars.allSatisfy { $0 == "-" || $0 == "_" || $0.isLetterOrDigitOfASCII }
        return isTag ? tag : "und"
    }
}

extension Manifest.Title {
    /// - Parameter place: in its list, from 1.
    fileprivate mutating func vet(place: Int) {
        if !(1...1_000_000).contains(rank) { rank = place }
        // The first films were shown in the 1870s; a year far ahead is a slip.
        if let given = year, !(1_800...2_999).contains(given) { year = nil }
        if let given = score, !(0...10).contains(given) { score = nil }
        details?.vet()
    }
}

extension Manifest.Details {
    /// More than the program itself writes down of any.
    private static let mostNames = 10

    fileprivate mutating func vet() {
        if let given = runtimeMinutes, !(1...10_000).contains(given) { runtimeMinutes = nil }
        genres = Array(genres.prefix(Self.mostNames))
        directors = directors.map { Array($0.prefix(Self.mostNames)) }
        cast = cast.map { Array($0.prefix(Self.mostNames)) }
        for source in ScoreSource.allCases {
            guard let given = ratings?[source] else { continue }
            if !(0...source.scale).contains(given.value) { ratings?[source] = nil }
            if let votes = given.votes, votes < 0 { ratings?[source]?.votes = nil }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isLetterOrDigitOfASCII: Bool { isASCII && (properties.isAlphabetic || ("0"..."9").contains(self)) }
}
