internal import Mirroring

/// A title's details as they are shown.
struct DetailTexts: Sendable, Equatable {
    /// `104 min`.
    let runtime: String?
    let genres: [DisplayText]
    let directors: [DisplayText]
    /// `directed` or `created`.
    let deed: String
    let cast: [DisplayText]

    init?(_ title: Manifest.Title, expectedLanguage language: String) {
        guard let details = title.details else { return nil }
        func texts(_ names: [String]?) -> [DisplayText] {
            (names ?? []).map { DisplayText($0, expectedLanguage: language) }.filter { !$0.text.isEmpty }
        }
        runtime = details.runtimeMinutes.map { "\($0)\u{A0}min" }
        genres = texts(details.genres)
        directors = texts(details.directors)
        deed = title.mediaType == "tv" ? "created" : "directed"
        cast = texts(details.cast?.map(\.name))
    }

    /// `104 min`, `Drama, Fable`, `directed by …`, `with …`: for where there is room for all.
    var all: [String] {
        var all = [runtime, genres.isEmpty ? nil : Self.list(genres)].compactMap(\.self)
        if !directors.isEmpty { all.append("\(deed) by \(Self.list(directors))") }
        if !cast.isEmpty { all.append("with \(Self.list(cast))") }
        return all
    }

    static func list(_ texts: some Sequence<DisplayText>) -> String { texts.map(\.text).joined(separator: ", ") }
}
