package import Mirroring

/// What a run's manifest names for one title and the cache cannot give any more.
///
/// A report is made nevertheless, but not in silence: a picture left out is something that its owner wants to mend.
package struct LostPictures: Sendable, Equatable {
    package let title: Manifest.Title
    /// Each file that was wanted, with what is the matter with it.
    package let files: [String]
    /// Whether the title could be shown with another of its pictures.
    package let hasOther: Bool

    package init(of title: Manifest.Title, files: [String], hasOther: Bool) {
        self.title = title
        self.files = files
        self.hasOther = hasOther
    }

    /// One sentence that says whose, which, and what to do.
    package var sentence: String {
        let shown = files.prefix(2).joined(separator: ", ") + (files.count > 2 ? " and \(files.count - 2) more" : "")
        let consequence = hasOther ? "another of its pictures stands in" : "it is shown without a poster"
        return "\"\(DisplayText.cleaned(title.title))\" lacks what the cache should have (\(shown)): \(consequence); "
            + "run `posterity verify --repair`"
    }

    /// Whether both are about the same title of the same list.
    func isAboutSameTitle(as other: LostPictures) -> Bool {
        (title.list, title.mediaType, title.id) == (other.title.list, other.title.mediaType, other.title.id)
    }
}
