internal import Core

/// Writes a feed as Atom (RFC 4287).
struct AtomFeed {
    let feed: Feed

    func xml() -> [UInt8] {
        var markup = Markup(.xml)
        markup.block("feed", [.init("xmlns", "http://www.w3.org/2005/Atom"), .init("xml:lang", "en")]) { markup in
            markup.line("title", text: feed.title)
            markup.line("subtitle", text: feed.subtitle)
            markup.line("id", text: feed.id)
            markup.line("updated", text: feed.updated.iso8601)
            markup.block("author") { $0.line("name", text: feed.title) }
            link("alternate", "text/html", (feed.base?.text ?? "") + (feed.base == nil ? "index.html" : ""), into: &markup)
            if let base = feed.base { link("self", "application/atom+xml", base.text + "feed.xml", into: &markup) }
            markup.line("generator", text: "posterity")
            for item in feed.items { write(item, into: &markup) }
        }
        return markup.bytes
    }

    // MARK: - Private

    private func write(_ item: Feed.Item, into markup: inout Markup) {
        markup.block("entry") { markup in
            markup.line("title", [.init("xml:lang", item.name.language)], text: item.name.text)
            markup.line("id", text: item.id)
            markup.line("published", text: item.date.iso8601)
            markup.line("updated", text: item.date.iso8601)
            link("alternate", "text/html", item.address, into: &markup)
            markup.line("content", [.init("type", "html")], text: item.html)
        }
    }

    private func link(_ relation: String, _ type: String, _ address: String, into markup: inout Markup) {
        markup.void("link", [.init("rel", relation), .init("type", type), .init("href", address)])
        markup.newline()
    }
}
