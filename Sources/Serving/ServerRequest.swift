/// What a client asked for.
package struct ServerRequest: Sendable {
    package var method: String
    /// The path with its percent encoding undone: `/t/p/w342/a b.jpg`.
    package var path: String
    /// Path and query exactly as they came: `/t/p/w342/a%20b.jpg?x=1`.
    package var target: String
    /// In the order given, percent encoding undone; a name without `=` has an empty value.
    package var query: [(name: String, value: String)]
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// The port that was asked.
    package var port: Int

    package init(
        method: String, path: String, target: String, query: [(name: String, value: String)] = [],
        headers: [(name: String, value: String)] = [], body: [UInt8] = [], port: Int = 0
    ) {
        self.method = method
        self.path = path
        self.target = target
        self.query = query
        self.headers = headers
        self.body = body
        self.port = port
    }

    /// The first header of that name, which is compared without regard to case.
    package func header(_ name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }

    /// The first query value of that name.
    package func queryValue(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }
}
