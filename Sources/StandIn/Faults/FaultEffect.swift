/// What a fault rule does to an answer.
struct FaultEffect: Sendable {
    static let words = [
        "status=N", "retry-after=SECONDS|date|TEXT", "delay=MS", "body=html|json|empty|garbage", "file=PATH", "json=VARIANT",
        "type=TEXT|none",
        "header=NAME:VALUE", "redirect=URL|loop", "partial", "not-modified", "gzip", "truncate=P%", "length=+N|-N|none", "cut=P%",
        "drip=BYTES",
        "endless", "header-bomb=KB", "reset",
    ]

    /// What stands in the place of the body.
    enum Body: String, Sendable, CaseIterable {
        case html, json, empty, garbage
    }

    /// How the bytes go out.
    enum Wire: Sendable {
        case ordinary
        /// Says the whole length, sends a share of the body, and closes.
        case truncated(Double)
        /// Says a length that is wrong by so much.
        case wrongLength(Int)
        /// Says no length: the body ends where the connection does.
        case noLength
        /// Chunked; a share of the body, and never the last chunk.
        case cut(Double)
        /// So many bytes each second.
        case drip(Int)
        /// A body without an end.
        case endless
        /// So many kilobytes of headers.
        case headerBomb(Int)
        /// The connection is reset before a byte is sent.
        case reset
    }

    private(set) var status: Int?
    private(set) var retryAfter: String?
    private(set) var delay: Duration = .zero
    private(set) var body: Body?
    private(set) var file: String?
    private(set) var json: JSONFault?
    private(set) var contentType: String?
    private(set) var headers: [(name: String, value: String)] = []
    private(set) var redirect: String?
    private(set) var isPartial = false
    private(set) var isNotModified = false
    private(set) var isGzipped = false
    private(set) var wire = Wire.ordinary
    private(set) var isEmpty = true

    /// Whether the word was one of these.
    mutating func take(_ name: String, _ value: String?) throws(FaultRuleError) -> Bool {
        switch name {
        case "status": status = try FaultWord.whole(name, value, atLeast: 200)
        case "retry-after": retryAfter = value ?? ""
        case "delay": delay = .milliseconds(try FaultWord.whole(name, value))
        case "body": body = try FaultWord.choice(name, value, Body.self)
        case "file": file = try FaultWord.text(name, value)
        case "json": json = try FaultWord.choice(name, value, JSONFault.self)
        case "type": contentType = try FaultWord.text(name, value)
        case "header":
            let text = try FaultWord.text(name, value)
            guard let colon = text.firstIndex(of: ":") else {
                throw FaultRuleError("fault rule: header=\(text) needs a colon, as in header=X-A:b")
            }
            headers.append((String(text[..<colon]), String(text[text.index(after: colon)...])))
        case "redirect": redirect = try FaultWord.text(name, value)
        case "partial": isPartial = true
        case "not-modified": isNotModified = true
        case "gzip": isGzipped = true
        case "truncate": wire = .truncated(try FaultWord.share(name, value))
        case "length": wire = value == "none" ? .noLength : .wrongLength(try Self.difference(value))
        case "cut": wire = .cut(try FaultWord.share(name, value))
        case "drip": wire = .drip(try FaultWord.whole(name, value, atLeast: 1))
        case "endless": wire = .endless
        case "header-bomb": wire = .headerBomb(try FaultWord.whole(name, value ?? "1000", atLeast: 1))
        case "reset": wire = .reset
        default: return false
        }
        isEmpty = false
        return true
    }

    private static func difference(_ value: String?) throws(FaultRuleError) -> Int {
        guard let value, value.hasPrefix("+") || value.hasPrefix("-"), let number = Int(value) else {
            throw FaultRuleError("fault rule: length=\(value ?? "") needs a sign and a number, as in length=+100, or none")
        }
        return number
    }
}
