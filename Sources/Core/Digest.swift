internal import CCrypto

/// A SHA-256 digest: the name of an object in the cache.
///
/// Its text form is 64 lower-case hexadecimal digits; in JSON it is written `sha256:<hex>`, so that another algorithm could follow.
package struct Digest: Sendable, Hashable, Comparable {
    /// The digest's 256 bits, most significant first. Not an array: there may be some for each of a hundred thousand pictures.
    private let words: (UInt64, UInt64, UInt64, UInt64)

    private init(bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count == 32)
        func word(_ index: Int) -> UInt64 { UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)) }
        words = (word(0), word(1), word(2), word(3))
    }

    /// The 32 bytes of the digest, most significant first.
    package var bytes: [UInt8] {
        [words.0, words.1, words.2, words.3].flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
    }

    /// The digest of `content`.
    package init(of content: some Sequence<UInt8>) {
        var hasher = Hasher()
        if content.withContiguousStorageIfAvailable({ hasher.update(UnsafeRawBufferPointer($0)) }) == nil {
            Array(content).withUnsafeBytes { hasher.update($0) }
        }
        self = hasher.finalize()
    }

    /// The digest written as `text`: 64 hexadecimal digits, with or without `sha256:` before them; nil for anything else.
    package init?(_ text: some StringProtocol) {
        let digest = String(text).utf8.withContiguousStorageIfAvailable { utf8 in
            let digits = utf8.starts(with: "sha256:".utf8) ? UnsafeBufferPointer(rebasing: utf8[7...]) : utf8
            return Digest(hexDigits: digits)
        }
        guard let digest = digest ?? nil else { return nil }
        self = digest
    }

    /// The digest whose 64 hexadecimal digits these are; nil for anything else.
    package init?(hexDigits digits: UnsafeBufferPointer<UInt8>) {
        guard digits.count == 64 else { return nil }
        func word(_ index: Int) -> UInt64? {
            var word: UInt64 = 0
            for digit in digits[16 * index..<16 * index + 16] {
                guard let value = Self.value(ofHexDigit: digit) else { return nil }
                word = word << 4 | value
            }
            return word
        }
        guard let first = word(0), let second = word(1), let third = word(2), let fourth = word(3) else { return nil }
        words = (first, second, third, fourth)
    }

    /// 64 lower-case hexadecimal digits.
    package var hex: String {
        String(unsafeUninitializedCapacity: 64) { buffer in
            for (index, word) in [words.0, words.1, words.2, words.3].enumerated() {
                for place in 0..<16 {
                    let digit = UInt8(truncatingIfNeeded: word >> (60 - 4 * UInt64(place)) & 15)
                    buffer[16 * index + place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                }
            }
            return 64
        }
    }

    package static func == (left: Digest, right: Digest) -> Bool { left.words == right.words }

    package static func < (left: Digest, right: Digest) -> Bool { left.words < right.words }

    package func hash(into hasher: inout Swift.Hasher) {
        // Any 64 bits of it are as good as all.
        hasher.combine(words.0)
    }

    private static func value(ofHexDigit digit: UInt8) -> UInt64? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(digit - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(digit - UInt8(ascii: "a") + 10)
        default: nil
        }
    }
}

extension Digest: CustomStringConvertible {
    /// `sha256:` and the hexadecimal digits.
    package var description: String { "sha256:" + hex }
}

extension Digest: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard text.hasPrefix("sha256:"), let digest = Digest(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a digest: \(text.printable)")
        }
        self = digest
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Digest {
    /// Digests bytes that arrive in pieces. Owns one OpenSSL context.
    package struct Hasher: ~Copyable {
        private let context: OpaquePointer

        package init() {
            // Both calls fail only when memory has run out or OpenSSL was built without SHA-256; nothing sensible could follow.
            guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
                fatalError("OpenSSL cannot compute SHA-256")
            }
            self.context = context
        }

        package mutating func update(_ bytes: UnsafeRawBufferPointer) {
            guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
            precondition(EVP_DigestUpdate(context, base, bytes.count) == 1, "OpenSSL refused to digest")
        }

        package consuming func finalize() -> Digest {
            var bytes = [UInt8](repeating: 0, count: 32)
            precondition(EVP_DigestFinal_ex(context, &bytes, nil) == 1, "OpenSSL refused to digest")
            return bytes.withUnsafeBytes { Digest(bytes: $0) }
        }

        deinit {
            EVP_MD_CTX_free(context)
        }
    }
}
