internal import Serving

/// An answer before it goes out, in the form in which faults spoil it.
struct Reply: Sendable {
    var status = 200
    var headers: [(name: String, value: String)] = []
    var body = SharedBytes.empty
    /// What the body was made from, when it is JSON.
    var json: JSONValue?

    init(status: Int = 200, headers: [(name: String, value: String)] = [], body: SharedBytes = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    init(status: Int = 200, json: JSONValue) {
        self.status = status
        self.json = json
        headers = [("Content-Type", "application/json;charset=utf-8")]
        body = SharedBytes(json.bytes)
    }

    /// Replaces, adds or, with nil, removes a header.
    mutating func set(_ name: String, _ value: String?) {
        headers.removeAll { $0.name.lowercased() == name.lowercased() }
        if let value { headers.append((name, value)) }
    }

    var response: ServerResponse { ServerResponse(status: status, headers: headers, body: body) }
}
