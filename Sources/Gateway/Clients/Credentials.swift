/// Where a client says who it is: as it would have told the API.
enum Credentials {
    /// The query item of the API's own that carries a key.
    static let item = "api_key"

    static func isName(_ name: String) -> Bool { name == item }

    /// The token that a client shows; nil when it shows none.
    ///
    /// - Parameter authorization: the header of that name.
    static func token(authorization: String?, items: [RequestTarget.Item]) -> String? {
        if let authorization {
            let words = authorization.split { $0 == " " || $0 == "\t" }
            guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
            return String(words[1])
        }
        return items.first { $0.name == item }?.value
    }
}
