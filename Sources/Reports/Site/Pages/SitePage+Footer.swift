internal import Core
internal import Mirroring

extension SitePage {
    /// The archive, the feeds, and what else there is to take along.
    func writeFooter(into markup: inout Markup) {
        markup.block("footer", [.init("class", "foot")]) { markup in
            markup.block("div", [.init("class", "wrap")]) { markup in
                writeArchive(into: &markup)
                markup.block("nav", [.init("aria-label", "Feeds and files")]) { markup in
                    markup.line("h2", text: "Take it along")
                    markup.block("ul", [.init("role", "list")]) { markup in
                        if isCurrent, let sheet = files.sheet { writeLink("Contact sheet", sheet, "image/png", into: &markup) }
                        writeLink("Atom feed", "feed.xml", "application/atom+xml", into: &markup)
                        writeLink("JSON feed", "feed.json", "application/feed+json", into: &markup)
                        if isCurrent { writeLink("Manifest", "manifest.json", "application/json", into: &markup) }
                    }
                }
                markup.element("p", [.init("class", "colophon")]) { markup in
                    markup.text("Updated ")
                    let finished = week.manifest.finishedAt.iso8601
                    markup.element("time", [.init("datetime", finished)], text: finished.prefix(16).replacing("T", with: ", ") + " UTC")
                    markup.text(". Posters belong to their owners.")
                }
                markup.newline()
            }
        }
    }

    // MARK: - Private

    private func writeArchive(into markup: inout Markup) {
        guard model.weeks.count > 1 else { return }
        markup.block("nav", [.init("class", "archive"), .init("aria-label", "Weeks")]) { markup in
            markup.line("h2", text: "All weeks")
            markup.block("ol", [.init("role", "list")]) { markup in
                for (index, other) in model.weeks.enumerated() {
                    let name = WeekName(other.name)
                    markup.element("li") { markup in
                        markup.element(
                            "a",
                            [
                                .init("href", root + (index == 0 ? "index.html" : Self.path(ofWeek: other.name))),
                                other.name == week.name ? .init("aria-current", "page") : nil,
                            ]
                        ) { markup in
                            markup.element("b", text: name?.short ?? other.name)
                            markup.text(" ")
                            markup.element("span", text: name?.days ?? "")
                        }
                    }
                    markup.newline()
                }
            }
        }
    }

    private func writeLink(_ text: String, _ path: String, _ type: String, into markup: inout Markup) {
        markup.element("li") { $0.element("a", [.init("href", root + path), .init("type", type)], text: text) }
        markup.newline()
    }
}
