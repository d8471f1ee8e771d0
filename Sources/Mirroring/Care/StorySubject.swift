internal import Core

/// Which poster a story is to be told of.
package enum StorySubject: Sendable, Equatable {
    /// A title by its id, and `movie` or `tv` if that was said.
    case title(mediaType: String?, id: Int)
    /// A picture by its URL.
    case url(String)
    /// The API's `poster_path`.
    case posterPath(String)
    /// Words of a title.
    case words(String)

    /// `603`, `movie/603`, `https://…`, `/abc.jpg`, or words.
    package init(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if text.hasPrefix("http://") || text.hasPrefix("https://") {
            self = .url(text)
        } else if text.hasPrefix("/") {
            self = .posterPath(text)
        } else if let id = Int(text) {
            self = .title(mediaType: nil, id: id)
        } else if parts.count == 2, parts[0] == "movie" || parts[0] == "tv", let id = Int(parts[1]) {
            self = .title(mediaType: String(parts[0]), id: id)
        } else {
            self = .words(text)
        }
    }
}
