internal import Core
internal import Mirroring

/// All the files of a site, worked out before the first is written.
struct SitePlan {
    private(set) var files: [PlannedFile] = []

    /// - Parameters:
    ///   - manifest: what `manifest.json` is to hold: the run's own, to the letter.
    ///   - sheet: the contact sheet's file, if there is one.
    init(
        model: SiteModel, manifest: Manifest, options: SiteOptions, pictures: PictureSource, sheet: PlannedFile?
    ) throws(SiteError) {
        var names = SiteFiles()
        addPictures(of: model, layout: options.layout, from: pictures, names: &names)
        if options.isDataOnly {
            add("posters.json", try json(PosterData(model: model, files: names)))
            return
        }
        names.stylesheet = addHashed(Stylesheet.css(colours: model.weeks.lazy.flatMap(\.titles).compactMap(\.colour)), extension: "css")
        names.icon = addHashed(Icon.svg, extension: "svg")
        if let sheet {
            names.sheet = sheet.path
            files.append(sheet)
        }
        for week in model.weeks {
            let page = SitePage(model: model, week: week, root: "../../", files: names, options: options)
            add(SitePage.path(ofWeek: week.name), page.html())
        }
        add("index.html", SitePage(model: model, week: model.weeks[0], root: "", files: names, options: options).html())
        let feed = Feed(model: model, options: options, files: names)
        add("feed.xml", AtomFeed(feed: feed).xml())
        add("feed.json", try json(JSONFeed(feed: feed)))
        add("manifest.json", JSONText.encode(manifest))
        add("robots.txt", Array("User-agent: *\nAllow: /\n".utf8))
    }

    // MARK: - Private

    private mutating func add(_ path: String, _ bytes: [UInt8]) {
        files.append(PlannedFile(path: path, bytes: bytes))
    }

    /// Adds a file whose name is its digest, so that it can be cached for ever.
    private mutating func addHashed(_ bytes: [UInt8], extension fileExtension: String) -> String {
        let path = "assets/\(Digest(of: bytes).hex).\(fileExtension)"
        add(path, bytes)
        return path
    }

    private mutating func addPictures(of model: SiteModel, layout: AssetLayout, from source: PictureSource, names: inout SiteFiles) {
        var namer = AssetNamer(layout: layout)
        for week in model.weeks {
            for title in week.titles {
                for picture in title.pictures.flatMap(\.pictures) where names.pictures[picture.digest] == nil {
                    let path = "assets/" + namer.name(of: picture, title: title, week: week)
                    names.pictures[picture.digest] = path
                    let entry = SiteRecord.Entry(digest: picture.digest, bytes: picture.byteCount)
                    files.append(PlannedFile(path: path, entry: entry, source: source.path(of: picture).map { .object($0) } ?? .published))
                }
            }
        }
    }

    private func json(_ value: some Encodable) throws(SiteError) -> [UInt8] {
        do {
            return try JSONText.encode(value)
        } catch {
            // Only a number that JSON cannot write, such as infinity, comes here.
            throw .badOption("the run cannot be written as JSON: \(error)")
        }
    }
}
