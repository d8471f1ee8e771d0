internal import Core

/// One HTML page: a week's titles, as `index.html` or in the archive. Its parts are written by the extensions beside this file.
///
/// No script, no inline style, nothing from another host: the page reads the same under
/// `default-src 'none'; img-src 'self' data:; style-src 'self'`.
struct SitePage {
    let model: SiteModel
    let week: SiteModel.Week
    /// Leads from the page to the site's folder: empty, or `../../`.
    let root: String
    let files: SiteFiles
    let options: SiteOptions

    var isCurrent: Bool { week.name == model.weeks[0].name }
    var weekName: WeekName? { WeekName(week.name) }

    /// The page's heading.
    var heading: String {
        if let title = options.title { return DisplayText.cleaned(title) }
        let lists = model.weeks[0].lists
        return lists.count == 1 ? lists[0].heading : "Posters of the week"
    }

    func html() -> [UInt8] {
        var markup = Markup(.html)
        markup.block("html", [.init("lang", "en"), .init("dir", "ltr")]) { markup in
            writeHead(into: &markup)
            markup.block("body") { markup in
                markup.line("a", [.init("class", "skip"), .init("href", "#titles")], text: "Skip to the titles")
                writeMasthead(into: &markup)
                writeTitles(into: &markup)
                writeFooter(into: &markup)
            }
        }
        return markup.bytes
    }

    /// The path of a week's page, relative to the site's folder. The file's own name stands in it because an object store does not
    /// look for one.
    static func path(ofWeek week: String) -> String { "weeks/\(week)/index.html" }
}
