/// What a client asked for.
///
/// Of the header only what is asked for is turned into text, so that a request costs little. It may be kept: what a task that answers later
/// or the hook after the answer looks up is there too; after that there are no headers.
package struct ServerRequest: Sendable {
    private enum Source: Sendable {
        case exchange(Exchange)
        case given([(name: String, value: String)])
    }

    package let method: String
    /// Path and query exactly as they came, without a scheme and a host before them: `/t/p/w342/a%20b.jpg?x=1`. It has no control characters, but may have bytes beyond ASCII.
    package let target: String
    package let body: [UInt8]
    package let client: ClientAddress
    /// Which of the configuration's addresses was asked: its position there.
    package let listener: Int
    private let source: Source

    init(method: String, body: [UInt8], exchange: Exchange) {
        self.method = method
        self.body = body
        target = exchange.target
        client = exchange.client
        listener = exchange.listener
        source = .exchange(exchange)
    }

    /// A request that no client sent, for tests of handlers.
    package init(
        method: String = "GET", target: String, headers: [(name: String, value: String)] = [], body: [UInt8] = [],
        client: ClientAddress = .unix,
        listener: Int = 0
    ) {
        self.method = method
        self.target = target
        self.body = body
        self.client = client
        self.listener = listener
        source = .given(headers)
    }

    /// The path with its percent encoding undone once: `/t/p/w342/a b.jpg`.
    ///
    /// It may contain `..`, and slashes that were encoded; a zero byte it never has.
    package var path: String {
        rawPath.utf8.percentDecoded(plusIsSpace: false)
    }

    /// The target up to the question mark, still encoded.
    package var rawPath: Substring {
        target[..<(target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex)]
    }

    /// In the order given, percent encoding undone and `+` a space; a name without `=` has an empty value.
    package var query: [(name: String, value: String)] {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return [] }
        return target.utf8[target.utf8.index(after: mark)...].split(separator: UInt8(ascii: "&")).map { item in
            let equals = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
            return (
                item[..<equals].percentDecoded(plusIsSpace: true), item[equals...].dropFirst().percentDecoded(plusIsSpace: true)
            )
        }
    }

    /// The first query value of that name.
    package func queryValue(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }

    /// The first header of that name, which is compared without regard to case; bytes that are not UTF-8 are replaced.
    package func header(_ name: String) -> String? {
        switch source {
        case .exchange(let exchange): exchange.header(name)
        case .given(let headers): headers.first { $0.name.equalsIgnoringCase(name) }?.value
        }
    }

    /// The last header of that name: where each server on the way adds one, the one that the nearest has added.
    package func lastHeader(_ name: String) -> String? {
        headers.last { $0.name.equalsIgnoringCase(name) }?.value
    }

    /// All of them, in the order given.
    package var headers: [(name: String, value: String)] {
        switch source {
        case .exchange(let exchange): exchange.headers
        case .given(let headers): headers
        }
    }

    /// What the handler wants said about this request in the log, such as `hit`; nil at first.
    package var note: String? {
        if case .exchange(let exchange) = source { exchange.note } else { nil }
    }

    package func setNote(_ note: String) {
        if case .exchange(let exchange) = source { exchange.note = note }
    }
}
