internal import Core

/// A token that lets a client in: what it shows, and what is kept of it.
///
/// 256 random bits. Nobody can guess such a text by trying, so what is kept is one salted SHA-256 of it: a slow hash would protect nothing that
/// is at risk, and would let anybody who sends wrong tokens keep the machine busy.
enum AccessToken {
    private static let prefix = "pst"
    private static let idBytes = 6
    private static let secretBytes = 32
    private static let saltBytes = 16

    /// A new token's text, to be shown once, and its record.
    static func new(named name: String, createdAt: String) -> (text: String, record: TokenRecord) {
        let id = hex(random(idBytes))
        let text = "\(prefix)_\(id)_\(hex(random(secretBytes)))"
        let salt = hex(random(saltBytes))
        return (text, TokenRecord(id: id, name: name, createdAt: createdAt, salt: salt, digest: digest(of: text, salt: salt)))
    }

    /// The part of a token that tells whose it is; nil for what is no token of ours.
    static func id(in text: String) -> Substring? {
        guard text.utf8.count == prefix.utf8.count + 2 + 2 * (idBytes + secretBytes) else { return nil }
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == prefix, parts[1].utf8.count == 2 * idBytes else { return nil }
        return parts[1]
    }

    static func digest(of text: String, salt: String) -> Digest { Digest(of: (salt + text).utf8) }

    // MARK: - Private

    private static func random(_ count: Int) -> [UInt8] {
        // The system's generator, which is fit for secrets.
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

/// What is kept of a token.
package struct TokenRecord: Sendable, Codable, Equatable {
    package let id: String
    package let name: String
    /// ISO 8601.
    package let createdAt: String
    let salt: String
    let digest: Digest

    /// Whether `text` is this token; takes the same time whatever is wrong with it.
    func fits(_ text: String) -> Bool { AccessToken.digest(of: text, salt: salt).equalsInConstantTime(digest) }
}
