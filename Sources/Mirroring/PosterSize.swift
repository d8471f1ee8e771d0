/// A size of the image host, by its token: `w342`, `h632` or `original`.
package struct PosterSize: Sendable, Hashable, CustomStringConvertible {
    package let token: String
    /// The width in pixels that a `w` token promises; nil for `h` tokens and `original`.
    package let widthPixels: Int?

    package var description: String { token }

    /// The size called `token`: `w` or `h` and a number from 1 to 9999, or `original`; nil for anything else.
    package init?(_ token: String) {
        self.token = token
        if token == "original" {
            widthPixels = nil
            return
        }
        let digits = token.dropFirst()
        guard let first = token.first, first == "w" || first == "h", (1...4).contains(digits.count), digits.first != "0",
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let number = Int(digits)
        else { return nil }
        widthPixels = first == "w" ? number : nil
    }

    /// What a mirror keeps unless told otherwise.
    package static let standard = ["w185", "w342", "w500"].compactMap(PosterSize.init)
}
