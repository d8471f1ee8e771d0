/// A language in which the API has titles.
///
/// Its documents speak of fourteen base languages, beside which every other tag is answered in English, and do not name them; these are
/// an assumption (docs/decisions/0009-details.md), made here alone.
package struct Language: Sendable, Hashable {
    /// BCP 47, without a region: `de`. A region may follow: `de-AT`.
    package let tag: String
    package let englishName: String
    package let nativeName: String

    private init(_ tag: String, _ englishName: String, _ nativeName: String) {
        self.tag = tag
        self.englishName = englishName
        self.nativeName = nativeName
    }

    /// The one that `tag`, such as `pt-BR`, belongs to; nil when the API has none for it and answers in English.
    package static func of(_ tag: String) -> Language? {
        let base = tag.prefix { $0 != "-" }.lowercased()
        return all.first { $0.tag == base }
    }

    /// By tag.
    package static let all = [
        Language("ar", "Arabic", "العربية"), Language("de", "German", "Deutsch"), Language("el", "Greek", "Ελληνικά"),
        Language("en", "English", "English"), Language("es", "Spanish", "Español"), Language("fr", "French", "Français"),
        Language("he", "Hebrew", "עברית"), Language("hi", "Hindi", "हिन्दी"), Language("it", "Italian", "Italiano"),
        Language("ja", "Japanese", "日本語"), Language("ko", "Korean", "한국어"), Language("pt", "Portuguese", "Português"),
        Language("ru", "Russian", "Русский"), Language("zh", "Chinese", "中文"),
    ]
}
