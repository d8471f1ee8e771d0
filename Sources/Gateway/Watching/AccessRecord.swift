internal import Core
internal import FoundationEssentials

/// One line of the access log.
struct AccessRecord: Sendable {
    let time: Date
    let client: String
    /// The token's name; nil when none was needed or shown.
    let user: String?
    let method: String
    let target: String
    let status: Int
    let bytes: Int
    let seconds: Double
    let cache: CacheResult?

    /// The target as it may be written down: without what may be a token, and with whatever is not plain made visible.
    static func shown(_ target: String) -> String {
        let target = withoutTokens(target)
        guard let question = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return plain(target[...]) }
        let items = target[target.index(after: question)...].split(separator: "&", omittingEmptySubsequences: false).map { item in
            let name = item.prefix { $0 != "=" }
            // Written in any way that is read as the item's name: better one value too many than a token.
            let isSecret = !["language", "page", "query", "append_to_response", "include_image_language"].contains(String(name))
            return isSecret && name.count < item.count ? "\(plain(name))=..." : plain(item)
        }
        return plain(target[..<question]) + "?" + items.joined(separator: "&")
    }

    /// The target without what follows `api_key=`, wherever that stands: also where no item of a query begins.
    private static func withoutTokens(_ target: String) -> String {
        let bytes = Array(target.utf8)
        var (shown, index) = ([UInt8](), 0)
        while index < bytes.count {
            if let end = endOfMark(in: bytes, at: index) {
                shown += bytes[index..<end] + Array("...".utf8)
                index = bytes[end...].firstIndex { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: " ") } ?? bytes.count
            } else {
                shown.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: shown, as: UTF8.self)
    }

    /// Where `api_key=` ends that begins at `start`, in any case and percent encoding; nil when it does not begin there.
    private static func endOfMark(in bytes: [UInt8], at start: Int) -> Int? {
        var index = start
        for wanted in Credentials.item.utf8 + [UInt8(ascii: "=")] {
            guard index < bytes.count else { return nil }
            var byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "%"), index + 2 <= bytes.count,
                let code = UInt8(String(decoding: bytes[index..<index + 2], as: UTF8.self), radix: 16)
            {
                byte = code
                index += 2
            }
            guard byte == wanted || (65...90).contains(byte) && byte | 0x20 == wanted else { return nil }
        }
        return index
    }

    private static let longest = 500

    /// Printable ASCII without quotes and backslashes; every other byte as `\xNN`.
    private static func plain(_ text: Substring) -> String {
        let isPlain = { (byte: UInt8) in (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") }
        if text.utf8.count <= longest, text.utf8.allSatisfy(isPlain) { return String(text) }
        var plain = ""
        for byte in text.utf8.prefix(longest) {
            if isPlain(byte) {
                plain.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let hex = String(byte, radix: 16)
                plain += hex.utf8.count == 1 ? "\\x0\(hex)" : "\\x\(hex)"
            }
        }
        return plain + (text.utf8.count > longest ? "..." : "")
    }

    var line: String {
        let place = "\(client) \(user ?? "-") [\(time.iso8601)]"
        return
            "\(place) \"\(Self.plain(method[...])) \(Self.shown(target))\" \(status) \(bytes) \(thousandths)ms \(cache?.rawValue ?? "-")\n"
    }

    var json: [UInt8] {
        struct Line: Encodable {
            let time: Date
            let client: String
            let user: String?
            let method: String
            let target: String
            let status: Int
            let bytes: Int
            let seconds: Double
            let cache: String?
        }
        let line = Line(
            time: time, client: client, user: user, method: Self.plain(method[...]), target: Self.shown(target), status: status,
            bytes: bytes,
            seconds: seconds, cache: cache?.rawValue)
        return (try? JSONText.encode(line, pretty: false)) ?? []
    }

    /// Milliseconds with three decimals.
    private var thousandths: String {
        let microseconds = Int((seconds * 1_000_000).rounded())
        return "\(microseconds / 1_000).\(String(1_000 + microseconds % 1_000).dropFirst())"
    }
}
