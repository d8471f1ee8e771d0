/// A WebP file's outer layer: named chunks after a RIFF header.
struct WebPContainer {
    private var chunks: [(name: String, payload: ArraySlice<UInt8>)] = []

    /// The chunks of `file`, as far as they are whole.
    init(_ file: [UInt8]) {
        var at = 12
        while at + 8 <= file.count {
            let size = (0..<4).reduce(0) { $0 | Int(file[at + 4 + $1]) << (8 * $1) }
            guard at + 8 + size <= file.count else { return }
            chunks.append((String(decoding: file[at..<at + 4], as: UTF8.self), file[at + 8..<at + 8 + size]))
            at += 8 + size + size % 2
        }
    }

    /// The payload of the first chunk of that name.
    subscript(name: String) -> ArraySlice<UInt8>? { chunks.first { $0.name == name }?.payload }

    /// Gives a picture that has no transparency an alpha plane, taken from another file of the same size.
    mutating func addAlpha(_ alpha: ArraySlice<UInt8>, width: Int, height: Int) {
        precondition(chunks.count == 1 && chunks[0].name == "VP8 ", "alpha for a file that is not a plain lossy picture")
        func threeBytes(_ number: Int) -> [UInt8] { (0..<3).map { UInt8(number >> (8 * $0) & 255) } }
        let header: [UInt8] = [0x10, 0, 0, 0] + threeBytes(width - 1) + threeBytes(height - 1)
        chunks.insert(contentsOf: [("VP8X", header[...]), ("ALPH", alpha)], at: 0)
    }

    /// The file.
    var bytes: [UInt8] {
        func fourBytes(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (8 * $0) & 255) } }
        let size = chunks.reduce(4) { $0 + 8 + $1.payload.count + $1.payload.count % 2 }
        var file: [UInt8] = []
        file.reserveCapacity(8 + size)
        file += Array("RIFF".utf8) + fourBytes(size) + Array("WEBP".utf8)
        for chunk in chunks {
            file += Array(chunk.name.utf8) + fourBytes(chunk.payload.count)
            file += chunk.payload
            if chunk.payload.count % 2 == 1 { file.append(0) }
        }
        return file
    }
}
