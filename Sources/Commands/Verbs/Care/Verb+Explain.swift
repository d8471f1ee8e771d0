internal import Core
internal import FoundationEssentials
internal import Mirroring
internal import Storage

extension Verb {
    private static let subject = Positional<StorySubject>.one(
        "POSTER", ValueParser("POSTER") { StorySubject($0) },
        "A title's id, movie/ID or tv/ID, a whole title, a poster path, or a picture's URL")

    /// `posterity explain POSTER`.
    static let explain = Verb(
        "explain", in: .care, "Tell the whole story of one poster",
        discussion: """
            The runs that it is in, each of its pictures with the host's last answer, its validators and how long it is fresh, the objects and
            renditions in the cache, and why there is no picture if there is none; and its details, where a run has them. Reads the cache alone.
            """,
        positionals: [subject], flags: [Flags.cache, Flags.json],
        examples: [
            Example("posterity explain movie/1001", "A title:"),
            Example("posterity explain /kqXJ2mWv.jpg", "A poster path:"),
        ]
    ) { arguments, context in
        let story = try await withCache(arguments, context) { cache in
            try await Storyteller(cache, now: Date()).story(of: arguments[subject])
        }
        try context.output.write(arguments[Flags.json] ? JSONText.encode(story) : Array(StoryReport.text(of: story).utf8))
        return .done
    }
}

/// What `posterity explain` prints.
private enum StoryReport {
    /// Runs that are told of in full; the older ones are counted.
    private static let runsShown = 10

    static func text(of story: PosterStory) -> String {
        var lines = story.titles.map { title in
            "\(title.title)\(title.year.map { " (\($0))" } ?? ""), \(title.mediaType)/\(title.id)"
        }
        if lines.isEmpty { lines.append("No run names it.") }
        if !story.appearances.isEmpty { lines += ["", "Runs"] }
        for appearance in story.appearances.prefix(runsShown) { lines += self.lines(of: appearance) }
        let older = story.appearances.count - runsShown
        if older > 0 { lines.append("  and \(older) older") }
        for picture in story.pictures { lines += [""] + self.lines(of: picture) }
        if story.pictures.isEmpty { lines += ["", "No picture of it was ever asked for."] }
        return lines.map { $0.printable + "\n" }.joined()
    }

    private static func lines(of appearance: PosterStory.Appearance) -> [String] {
        var lines = ["  \(appearance.run)  \(appearance.week)  \(appearance.list), rank \(appearance.rank)"]
        let sizes = appearance.sizes.isEmpty ? "no picture" : appearance.sizes.joined(separator: ", ")
        lines.append("    \(appearance.posterPath ?? "no poster path"): \(sizes)")
        if let missing = appearance.missing { lines.append("    missing: \(missing.reason), \(missing.detail)") }
        for (size, why) in appearance.kept.sorted(by: { $0.key < $1.key }) {
            lines.append("    \(size) is an earlier copy: \(why.reason), \(why.detail)")
        }
        if let details = appearance.details { lines += self.lines(of: details) }
        if let missing = appearance.detailsMissing { lines.append("    no details: \(missing.reason), \(missing.detail)") }
        return lines
    }

    private static func lines(of details: Manifest.Details) -> [String] {
        var facts = details.runtimeMinutes.map { ["\($0) min"] } ?? []
        if !details.genres.isEmpty { facts.append(details.genres.joined(separator: ", ")) }
        if let directors = details.directors, !directors.isEmpty { facts.append("by " + directors.joined(separator: ", ")) }
        facts += ScoreSource.allCases.compactMap { source in
            details.ratings?[source].map { "\(source.name) \(source.text($0.value))" }
        }
        var lines = ["    details of \(details.fetchedAt.iso8601): \(facts.isEmpty ? "none" : facts.joined(separator: "; "))"]
        if let why = details.kept { lines.append("    they are older than they should be: \(why.reason), \(why.detail)") }
        return lines
    }

    private static func lines(of picture: PosterStory.Picture) -> [String] {
        var lines = [picture.url, "  \(picture.state): \(picture.verdict)"]
        if let fetchedAt = picture.fetchedAt { lines.append("  last answer  \(fetchedAt.iso8601)") }
        if let etag = picture.etag { lines.append("  ETag         \(etag)") }
        if let lastModified = picture.lastModified { lines.append("  modified     \(lastModified)") }
        if let original = picture.original { lines.append("  original     " + self.line(of: original)) }
        for rendition in picture.renditions {
            lines += ["  rendition    \(rendition.recipe ?? "")", "               " + self.line(of: rendition)]
        }
        return lines
    }

    private static func line(of object: PosterStory.Object) -> String {
        "\(object.path), \(object.width) × \(object.height), \(ByteCount(object.bytes))\(object.isThere ? "" : ", its file is gone")"
    }
}
