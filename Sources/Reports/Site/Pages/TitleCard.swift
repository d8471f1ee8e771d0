internal import Mirroring

/// One title in the grid: poster, rank, name, and the facts below.
struct TitleCard {
    let title: SiteModel.Title
    /// Whether it takes two columns.
    let isLead: Bool
    let isEager: Bool
    let isFirst: Bool
    let root: String
    let files: SiteFiles

    func write(into markup: inout Markup) {
        markup.block("li", [.init("id", title.anchor), .init("class", isLead ? "card lead" : "card")]) { markup in
            markup.element("div", [.init("class", frameClass)]) { markup in
                if title.pictures.isEmpty { writeStandIn(into: &markup) } else { writePoster(into: &markup) }
            }
            markup.newline()
            markup.element("div", [.init("class", "caption")]) { markup in
                markup.element("p", [.init("class", "rank")]) { markup in
                    markup.element("span", [.init("class", "unseen")], text: "Rank ")
                    markup.text(String(title.record.rank))
                }
                markup.element("h3", [.init("class", "name")]) { markup in
                    markup.element("bdi", [.init("lang", title.name.language), .init("dir", title.name.direction)], text: shownName)
                }
                writeFacts(into: &markup)
                if let details = title.details { write(details, into: &markup) }
            }
            markup.newline()
        }
    }

    // MARK: - Poster

    private var shownName: String { title.name.text.isEmpty ? "Untitled" : title.name.text }

    private var frameClass: String {
        if title.pictures.isEmpty { return "frame empty" }
        return title.colour.map { "frame \(Stylesheet.className(ofColour: $0))" } ?? "frame"
    }

    private func writePoster(into markup: inout Markup) {
        if let placeholder = title.placeholder {
            markup.void(
                "img", [.init("class", "veil"), .init("src", placeholder), .init("alt", ""), .init("width", 2), .init("height", 3)])
        }
        let sets = title.pictures
        let fallback = sets[sets.count - 1]
        guard sets.count > 1 else { return writeImage(fallback, into: &markup) }
        markup.element("picture") { markup in
            for set in sets.dropLast() {
                markup.void("source", [.init("type", set.mediaType), .init("srcset", sourceSet(of: set)), .init("sizes", sizes)])
            }
            writeImage(fallback, into: &markup)
        }
    }

    private func writeImage(_ set: PictureSet, into markup: inout Markup) {
        let widest = set.widest
        // For readers without `srcset`: the second width looks right in every place, and is not the largest download.
        let plain = set.pictures[min(1, set.pictures.count - 1)]
        markup.void(
            "img",
            [
                .init("class", "poster"), .init("src", root + files.address(of: plain)),
                set.pictures.count > 1 ? .init("srcset", sourceSet(of: set)) : nil, set.pictures.count > 1 ? .init("sizes", sizes) : nil,
                .init("width", widest.width), .init("height", widest.height), .init("alt", "Poster of \(shownName)"),
                .init("loading", isEager ? "eager" : "lazy"), isFirst ? .init("fetchpriority", "high") : nil,
                // Above the fold the page is painted with its posters; below it nothing should wait for them.
                .init("decoding", isEager ? "sync" : "async"),
            ])
    }

    private func sourceSet(of set: PictureSet) -> String {
        set.pictures.map { "\(root)\(files.address(of: $0)) \($0.width)w" }.joined(separator: ", ")
    }

    private var sizes: String { isLead ? Stylesheet.leadSizes : Stylesheet.cardSizes }

    /// A calm tile with the name on it. What it says stands in the caption too, so screen readers pass over it.
    private func writeStandIn(into markup: inout Markup) {
        markup.element("p", [.init("class", "unseen")], text: "No poster")
        markup.element("p", [.init("class", "tile"), .init("aria-hidden", "true")]) { markup in
            markup.element("bdi", [.init("lang", title.name.language), .init("dir", title.name.direction)], text: shownName)
        }
    }

    // MARK: - Facts

    private func writeFacts(into markup: inout Markup) {
        markup.element("p", [.init("class", "facts")]) { markup in
            if let year = title.record.year {
                markup.element("span", [.init("class", "year")], text: String(year))
                markup.text(" ")
            }
            if let score = title.score {
                markup.element("span", [.init("class", "score")]) { markup in
                    if let source = score.source {
                        markup.text(score.mark + " ")
                        if source == .rottenTomatoes { markup.element("span", [.init("class", "unseen")], text: "(Rotten Tomatoes) ") }
                    } else {
                        markup.element("span", [.init("aria-hidden", "true")], text: "★ ")
                        markup.element("span", [.init("class", "unseen")], text: "Score ")
                    }
                    markup.text(score.number)
                    if score.source != .rottenTomatoes {
                        markup.element("span", [.init("class", "unseen")], text: " of \(score.scale)")
                    }
                }
                markup.text(" ")
            }
            if let mark = title.movement.flatMap({ MovementMark($0) }) {
                markup.element("span", [.init("class", "mark \(mark.className)")]) { markup in
                    markup.element("span", [.init("aria-hidden", "true")], text: mark.sign)
                    markup.element("span", [.init("class", "unseen")], text: mark.words)
                }
            }
        }
    }

    // MARK: - Details

    /// In the grid what two lines hold of it; the first title of a page has room for all.
    private func write(_ details: DetailTexts, into markup: inout Markup) {
        if details.runtime != nil || !details.genres.isEmpty {
            markup.element("p", [.init("class", "more")]) { markup in
                if let runtime = details.runtime { markup.element("span", text: runtime) }
                write(details.genres, after: details.runtime == nil ? "" : "\u{A0}· ", into: &markup)
            }
        }
        if !details.directors.isEmpty {
            let deed = details.deed.prefix(1).uppercased() + details.deed.dropFirst()
            markup.element("p", [.init("class", "more")]) { markup in
                // On a card the name is what counts; who listens hears the whole.
                if !isLead { markup.element("span", [.init("class", "unseen")], text: deed + " ") }
                write(details.directors, after: isLead ? deed + " by " : "by ", into: &markup)
            }
        }
        if isLead, !details.cast.isEmpty {
            markup.element("p", [.init("class", "more")]) { markup in write(details.cast, after: "With ", into: &markup) }
        }
    }

    /// Each in an element of its own, with what parts it from the one before: the stylesheet leaves out those at the end that do not fit in,
    /// and one that is read from the right moves none of the others.
    private func write(_ texts: [DisplayText], after lead: String, into markup: inout Markup) {
        for (index, text) in texts.enumerated() {
            markup.element("span") { markup in
                markup.text(index == 0 ? lead : ", ")
                markup.element("bdi", [.init("lang", text.language), .init("dir", text.direction)], text: text.text)
            }
        }
    }
}
