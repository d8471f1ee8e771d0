/// An ordinary answer. Content-Length, Date and Connection are added on the way out; a HEAD request gets everything but the body.
package struct ServerResponse: Sendable {
    package enum Body: Sendable {
        case bytes(SharedBytes)
        /// A part of a file, which the kernel sends without its bytes passing through this process.
        case file(SharedFile, offset: Int, count: Int)

        package var count: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .file(_, _, let count): count
            }
        }
    }

    package var status: Int
    /// A byte that does not belong into a header, such as a line's end, goes out percent-encoded.
    package var headers: [(name: String, value: String)]
    package var body: Body

    package init(status: Int = 200, headers: [(name: String, value: String)] = [], body: Body) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package init(status: Int = 200, headers: [(name: String, value: String)] = [], body: SharedBytes = .empty) {
        self.init(status: status, headers: headers, body: .bytes(body))
    }

    /// All of a file.
    package init(status: Int = 200, headers: [(name: String, value: String)] = [], file: SharedFile) {
        self.init(status: status, headers: headers, body: .file(file, offset: 0, count: file.count))
    }

    /// The first header of that name, which is compared without regard to case.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.equalsIgnoringCase(name) }?.value
    }
}
