internal import Core

extension SitePage {
    /// The week, the heading, what there is to see, and the ways to the weeks before and after.
    func writeMasthead(into markup: inout Markup) {
        markup.block("header", [.init("class", "masthead wrap")]) { markup in
            markup.element("p", [.init("class", "dateline")]) { markup in
                if let weekName {
                    markup.element("time", [.init("datetime", week.name)]) { markup in
                        markup.element("b", text: weekName.short)
                        markup.text(" ")
                        markup.element("span", text: weekName.days)
                    }
                } else {
                    markup.text(DisplayText.cleaned(week.name))
                }
            }
            markup.newline()
            markup.line("h1", text: heading)
            markup.line("p", [.init("class", "summary")], text: summary)
            writeNeighbours(into: &markup)
        }
    }

    // MARK: - Private

    private var summary: String {
        let titles = week.titles
        var parts = [titles.count == 1 ? "1 title" : "\(titles.count) titles"]
        if week.hasHistory, options.showsMovement {
            let new = titles.count { $0.movement == .new }
            let back = titles.count { $0.movement == .back }
            if new > 0 { parts.append("\(new) new") }
            if back > 0 { parts.append("\(back) back") }
        }
        let missing = titles.count { $0.pictures.isEmpty }
        if missing > 0 { parts.append("\(missing) without a poster") }
        return parts.joined(separator: " · ")
    }

    private func writeNeighbours(into markup: inout Markup) {
        guard model.weeks.count > 1, let index = model.weeks.firstIndex(where: { $0.name == week.name }) else { return }
        markup.block("nav", [.init("class", "neighbours"), .init("aria-label", "Previous and next week")]) { markup in
            if index + 1 < model.weeks.count { writeStep(to: model.weeks[index + 1], rel: "prev", "←", after: false, into: &markup) }
            if index > 0 { writeStep(to: model.weeks[index - 1], rel: "next", "→", after: true, into: &markup) }
        }
    }

    private func writeStep(to week: SiteModel.Week, rel: String, _ arrow: String, after: Bool, into markup: inout Markup) {
        let isFirst = week.name == model.weeks[0].name
        let path = isFirst ? "index.html" : Self.path(ofWeek: week.name)
        let name = WeekName(week.name)?.short ?? week.name
        markup.element("a", [.init("rel", rel), .init("href", root + path)]) { markup in
            if !after { markup.element("span", [.init("aria-hidden", "true")], text: arrow + " ") }
            markup.text(name)
            if after { markup.element("span", [.init("aria-hidden", "true")], text: " " + arrow) }
        }
        markup.newline()
    }
}
