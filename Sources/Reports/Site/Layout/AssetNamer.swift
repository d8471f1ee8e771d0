internal import Core
internal import Mirroring

/// Gives every picture of a site its file name, no two alike on any file system.
struct AssetNamer {
    private let layout: AssetLayout
    /// The names given, as file systems compare them: without case, and (as Swift's strings do) by canonical equivalence.
    private var taken: Set<String> = []

    init(layout: AssetLayout) {
        self.layout = layout
    }

    mutating func name(of picture: SitePicture, title: SiteModel.Title, week: SiteModel.Week) -> String {
        guard let parts = layout.parts else { return "\(picture.digest.hex).\(picture.fileExtension)" }
        var stem = ""
        for part in parts.dropLast() {
            switch part {
            case .literal(let text): stem += text
            case .field(let field, let digits): stem += value(of: field, digits: digits, picture, title, week)
            }
        }
        if stem.hasSuffix(".") { stem.removeLast() }
        if layout.isASCII { stem = Transliteration.ascii(stem) }
        var attempt = 1
        while true {
            let name = FileName.safe(stem: stem, suffix: attempt == 1 ? "" : "-\(attempt)", fileExtension: picture.fileExtension)
            if taken.insert(Self.folded(name)).inserted { return name }
            attempt += 1
        }
    }

    // MARK: - Private

    private func value(
        of field: AssetLayout.Field, digits: Int, _ picture: SitePicture, _ title: SiteModel.Title, _ week: SiteModel.Week
    ) -> String {
        switch field {
        case .rank: padded(title.record.rank, digits)
        case .width: padded(picture.width, digits)
        case .height: padded(picture.height, digits)
        case .id: padded(title.record.id, digits)
        case .year: title.record.year.map { padded($0, digits) } ?? ""
        case .slug: slug(of: title)
        case .list: FileName.slug(DisplayText.cleaned(title.record.list))
        case .kind: FileName.slug(DisplayText.cleaned(title.record.mediaType))
        case .week: week.name
        case .ext: picture.fileExtension
        case .digest: picture.digest.hex
        }
    }

    private func slug(of title: SiteModel.Title) -> String {
        let text = layout.isASCII ? Transliteration.ascii(title.name.text) : title.name.text
        let slug = FileName.slug(text)
        return slug.isEmpty ? "title-\(title.record.id)" : slug
    }

    private func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    private static func folded(_ name: String) -> String { name.uppercased().lowercased() }
}
