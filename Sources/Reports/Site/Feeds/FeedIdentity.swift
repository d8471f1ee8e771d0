internal import Core
internal import Mirroring

/// Makes the ids of feeds and their entries: permanent, and nobody else's.
///
/// With an address they are `tag:` URIs of RFC 4151, which the host's name and the week make unique. Without one they are UUIDs (RFC 9562,
/// version 8) taken from a digest of the same facts, so that the same run gives the same ids.
struct FeedIdentity {
    let base: SiteAddress?
    let lists: [String]
    let language: String

    var ofFeed: String {
        // The date says when the name belonged to the host; the feed's own has to stay the same from week to week.
        id(date: "2026-01-01", of: lists + [language])
    }

    func of(_ title: Manifest.Title, week: String) -> String {
        id(date: WeekName(week)?.firstDate ?? "2026-01-01", of: [title.list, language, title.mediaType, String(title.id)])
    }

    // MARK: - Private

    private func id(date: String, of facts: [String]) -> String {
        guard let base else { return Self.uuid(of: ([date] + facts).joined(separator: "\n")) }
        let path = base.text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).dropFirst(3).first ?? ""
        return "tag:\(base.host),\(date):\(path)\(facts.map { SiteFiles.percentEncoded($0) }.joined(separator: ";"))"
    }

    private static func uuid(of text: String) -> String {
        var bytes = Digest(of: text.utf8).bytes.prefix(16).map(\.self)
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        var groups: [Substring] = []
        var rest = hex[...]
        for length in [8, 4, 4, 4, 12] {
            groups.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return "urn:uuid:" + groups.joined(separator: "-")
    }
}
