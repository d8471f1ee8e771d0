/// A WebP file's outer layer.
enum WebPContainer {
    /// `file` without EXIF, XMP and colour profile, and without the extended header if nothing needs that any more.
    ///
    /// libvips 8.14 writes an EXIF block of 190 bytes of its own making even when it is asked to strip, which is more than a placeholder's
    /// whole picture.
    static func withoutMetadata(_ file: [UInt8]) -> [UInt8] {
        var chunks: [ArraySlice<UInt8>] = []
        var at = 12
        while at + 8 <= file.count {
            let size = (0..<4).reduce(0) { $0 | Int(file[at + 4 + $1]) << (8 * $1) }
            let end = at + 8 + size + size % 2
            guard end <= file.count else { return file }
            chunks.append(file[at..<end])
            at = end
        }
        func isNamed(_ name: StaticString) -> (ArraySlice<UInt8>) -> Bool {
            { chunk in name.withUTF8Buffer { chunk.prefix(4).elementsEqual($0) } }
        }
        let metadata = [isNamed("EXIF"), isNamed("XMP "), isNamed("ICCP")]
        chunks.removeAll { chunk in metadata.contains { $0(chunk) } }
        if let extended = chunks.firstIndex(where: isNamed("VP8X")) {
            if chunks.contains(where: isNamed("ALPH")) || chunks.contains(where: isNamed("ANIM")) {
                // The flags of the three kinds of metadata.
                var chunk = chunks[extended]
                chunk[chunk.startIndex + 8] &= ~0x2C
                chunks[extended] = chunk
            } else {
                chunks.remove(at: extended)
            }
        }
        let size = 4 + chunks.reduce(0) { $0 + $1.count }
        return Array("RIFF".utf8) + (0..<4).map { UInt8(size >> (8 * $0) & 255) } + Array("WEBP".utf8) + chunks.joined()
    }
}
