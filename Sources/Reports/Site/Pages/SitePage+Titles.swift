internal import Mirroring

extension SitePage {
    /// How many posters from the top are asked for at once; the rest wait until they come near the window.
    private static let eagerTitles = 8

    /// The lists, each a section with its titles in rank order.
    func writeTitles(into markup: inout Markup) {
        markup.block("main", [.init("id", "titles"), .init("class", "wrap"), .init("tabindex", "-1")]) { markup in
            var position = 0
            for (index, list) in week.lists.enumerated() {
                let id = "list-\(index + 1)"
                markup.block("section", [.init("aria-labelledby", id)]) { markup in
                    // With one list its heading is the page's; it stays for those who go from heading to heading.
                    let isSaidAlready = week.lists.count == 1
                    markup.line(
                        "h2", [.init("id", id), isSaidAlready ? .init("class", "unseen") : nil],
                        text: isSaidAlready ? "The titles by rank" : list.heading)
                    markup.block("ol", [.init("class", "grid"), .init("role", "list")]) { markup in
                        for title in list.titles {
                            // Only a picture that has the pixels is drawn large.
                            let isSharp = title.pictures.contains { $0.widest.width >= Stylesheet.leadWidth }
                            let isLead = position == 0 && title.record.rank == 1 && isSharp
                            let card = TitleCard(
                                title: title, isLead: isLead, isEager: position < Self.eagerTitles, isFirst: position == 0, root: root,
                                files: files)
                            card.write(into: &markup)
                            position += 1
                        }
                    }
                }
            }
        }
    }
}
