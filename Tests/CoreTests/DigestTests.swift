import Core
import Testing

@Suite("Digest")
struct DigestTests {
    @Test(
        "The digest is SHA-256",
        arguments: [
            // FIPS 180-4 examples.
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ])
    func isSHA256(text: String, hex: String) {
        #expect(Digest(of: text.utf8).hex == hex)
        #expect(Digest(of: Array(text.utf8)).description == "sha256:" + hex)
    }

    @Test("Bytes in pieces give the digest of the whole")
    func pieces() {
        var hasher = Digest.Hasher()
        for piece in ["a", "", "bc"] {
            Array(piece.utf8).withUnsafeBytes { hasher.update($0) }
        }
        #expect(hasher.finalize() == Digest(of: "abc".utf8))
    }

    @Test("A digest is read back from both its text forms")
    func textForms() throws {
        let digest = Digest(of: "poster".utf8)
        #expect(Digest(digest.hex) == digest)
        #expect(Digest(digest.description) == digest)
        let decoded = try JSONText.decode([Digest].self, from: JSONText.encode([digest]))
        #expect(decoded == [digest])
    }

    @Test(
        "What is not 64 lower-case hexadecimal digits is no digest",
        arguments: [
            "", "sha256:", String(repeating: "0", count: 63), String(repeating: "0", count: 65), String(repeating: "A", count: 64),
            String(repeating: "g", count: 64), "md5:" + String(repeating: "0", count: 64), String(repeating: "/", count: 64),
        ])
    func refuses(text: String) {
        #expect(Digest(text) == nil)
    }
}
