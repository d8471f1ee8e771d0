internal import Core
internal import FoundationEssentials
internal import Mirroring

/// The titles that are new in a week, as both feeds tell them.
struct Feed: Sendable {
    struct Item: Sendable {
        /// Stays the same whatever becomes of the site's pages.
        let id: String
        /// Absolute when the site's address is known, else relative to the feed.
        let address: String
        let name: DisplayText
        let html: String
        /// The widest picture, absolute or relative like `address`.
        let picture: String?
        let date: Date
    }

    let id: String
    let title: String
    let subtitle: String
    /// The site's address; nil when it is not known.
    let base: SiteAddress?
    let updated: Date
    let items: [Item]

    init(model: SiteModel, options: SiteOptions, files: SiteFiles) {
        let week = model.weeks[0]
        let page = SitePage(model: model, week: week, root: "", files: files, options: options)
        let identity = FeedIdentity(base: options.baseURL, lists: week.manifest.lists, language: week.manifest.language)
        let prefix = options.baseURL?.text ?? ""
        id = identity.ofFeed
        title = page.heading
        subtitle = "New in " + (page.weekName.map { "\($0.title), \($0.days)" } ?? week.name)
        base = options.baseURL
        updated = week.manifest.finishedAt
        items = week.titles.filter(\.isNew).map { title in
            let picture = title.pictures.last?.widest
            return Item(
                id: identity.of(title.record, week: week.name),
                address: "\(prefix)\(SitePage.path(ofWeek: week.name))#\(title.anchor)", name: title.name,
                html: Self.html(of: title, picture: picture, address: picture.map { prefix + files.address(of: $0) }),
                picture: picture.map { prefix + files.address(of: $0) }, date: week.manifest.startedAt)
        }
    }

    // MARK: - Private

    private static func html(of title: SiteModel.Title, picture: SitePicture?, address: String?) -> String {
        Markup.htmlFragment { markup in
            if let picture, let address {
                markup.element("p") { markup in
                    markup.void(
                        "img",
                        [
                            .init("src", address), .init("width", picture.width), .init("height", picture.height),
                            .init("alt", "Poster of \(title.name.text)"),
                        ])
                }
            }
            var facts = ["Rank \(title.record.rank)"]
            if let year = title.record.year { facts.append(String(year)) }
            if let score = title.score { facts.append(score.text) }
            markup.element("p", text: facts.joined(separator: " · "))
            if let details = title.details?.all, !details.isEmpty { markup.element("p", text: details.joined(separator: " · ")) }
        }
    }
}
