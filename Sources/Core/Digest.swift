internal import CCrypto

/// A SHA-256 digest: the name of an object in the cache.
///
/// Its text form is 64 lower-case hexadecimal digits; in JSON it is written `sha256:<hex>`, so that another algorithm could follow.
package struct Digest: Sendable, Hashable, Comparable {
    /// The 32 bytes of the digest, most significant first.
    package let bytes: [UInt8]

    private init(bytes: [UInt8]) {
        self.bytes = bytes
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
        let digits = text.hasPrefix("sha256:") ? text.dropFirst(7).utf8.map(\.self) : Array(text.utf8)
        guard digits.count == 64 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        for pair in stride(from: 0, to: 64, by: 2) {
            guard let high = Self.value(ofHexDigit: digits[pair]), let low = Self.value(ofHexDigit: digits[pair + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        self.bytes = bytes
    }

    /// 64 lower-case hexadecimal digits.
    package var hex: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(unsafeUninitializedCapacity: 64) { buffer in
            for (index, byte) in bytes.enumerated() {
                buffer[2 * index] = digits[Int(byte >> 4)]
                buffer[2 * index + 1] = digits[Int(byte & 15)]
            }
            return 64
        }
    }

    package static func < (left: Digest, right: Digest) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }

    private static func value(ofHexDigit digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
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
            return Digest(bytes: bytes)
        }

        deinit {
            EVP_MD_CTX_free(context)
        }
    }
}

extension Digest {
    /// Whether both are the same, found out in a time that does not tell where they differ.
    package func equalsInConstantTime(_ other: Digest) -> Bool {
        bytes.withUnsafeBytes { own in
            other.bytes.withUnsafeBytes { others in CRYPTO_memcmp(own.baseAddress, others.baseAddress, own.count) == 0 }
        }
    }
}
