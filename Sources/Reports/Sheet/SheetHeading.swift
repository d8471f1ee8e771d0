internal import Mirroring

/// What stands above a list's posters.
struct SheetHeading: Sendable, Equatable {
    let title: String
    let list: String
    let week: String
    let language: String
    let count: String

    init(list: String, title: String?, of manifest: Manifest, shown: Int, all: Int) {
        self.title = title.map(DisplayText.cleaned) ?? ListName.heading(of: list)
        self.list = DisplayText.cleaned(list)
        week = manifest.week
        language = manifest.language
        count = (shown == all ? "\(all)" : "\(shown) of \(all)") + (all == 1 ? " title" : " titles")
    }
}
