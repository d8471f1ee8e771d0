extension SitePage {
    /// The title, what search engines and feed readers look for, and the stylesheet.
    func writeHead(into markup: inout Markup) {
        let title = [heading, weekName?.title].compactMap(\.self).joined(separator: " · ")
        markup.block("head") { markup in
            markup.void("meta", [.init("charset", "utf-8")])
            markup.newline()
            markup.line("title", text: title)
            let named = [
                ("viewport", "width=device-width, initial-scale=1"), ("description", description), ("robots", robots),
                ("color-scheme", "light dark"),
            ]
            for (name, content) in named { line(&markup, "meta", [.init("name", name), .init("content", content)]) }
            line(&markup, "link", [.init("rel", "stylesheet"), .init("href", root + files.stylesheet)])
            line(&markup, "link", [.init("rel", "icon"), .init("href", root + files.icon), .init("type", "image/svg+xml")])
            if let base = options.baseURL?.text {
                line(&markup, "link", [.init("rel", "canonical"), .init("href", isCurrent ? base : base + Self.path(ofWeek: week.name))])
            }
            for (path, type) in [("feed.xml", "application/atom+xml"), ("feed.json", "application/feed+json")] {
                line(
                    &markup, "link",
                    [
                        .init("rel", "alternate"), .init("type", type), .init("href", root + path),
                        .init("title", "\(heading): new titles"),
                    ])
            }
            writePreview(title: title, into: &markup)
        }
    }

    // MARK: - Private

    /// What messengers show of a link. They take absolute addresses only.
    private func writePreview(title: String, into markup: inout Markup) {
        guard let base = options.baseURL?.text else { return }
        var properties = [("og:type", "website"), ("og:title", title), ("og:description", description)]
        properties.append(("og:url", isCurrent ? base : base + Self.path(ofWeek: week.name)))
        if isCurrent, let sheet = files.sheet { properties.append(("og:image", base + sheet)) }
        for (name, content) in properties { line(&markup, "meta", [.init("property", name), .init("content", content)]) }
    }

    private var description: String {
        let names = week.titles.prefix(3).map(\.name.text)
        let days = weekName.map { " in the week of \($0.days)" } ?? ""
        return "\(week.titles.count) titles\(days)" + (names.isEmpty ? "" : ": \(names.joined(separator: ", "))")
            + (week.titles.count > names.count ? " and more." : ".")
    }

    private var robots: String { options.allowsIndexing ? "index, follow, noimageindex" : "noindex, nofollow, noimageindex" }

    private func line(_ markup: inout Markup, _ name: StaticString, _ attributes: [Markup.Attribute]) {
        markup.void(name, attributes)
        markup.newline()
    }
}
