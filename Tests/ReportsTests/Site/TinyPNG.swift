/// Makes small but real PNG files of any size: two colours, one bit a pixel, stored without compression.
enum TinyPNG {
    /// Stripes that differ with `seed`, so that every seed gives other bytes.
    static func bytes(width: Int, height: Int, seed: Int) -> [UInt8] {
        var rows: [UInt8] = []
        for row in 0..<height {
            rows.append(0)
            rows += (0..<(width + 7) / 8).map { UInt8(truncatingIfNeeded: (row / 8 + $0 + seed) % 3 == 0 ? 0xFF : seed &+ row / 16) }
        }
        let tint = UInt8(truncatingIfNeeded: seed &* 37)
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", word(width) + word(height) + [1, 3, 0, 0, 0])
            + chunk("PLTE", [tint, 60, 120, 240, 220, 255 - tint])
            + chunk("IDAT", stored(rows)) + chunk("IEND", [])
    }

    // MARK: - Private

    private static func word(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in body {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        return word(content.count) + body + word(Int(~crc))
    }

    /// A zlib stream of stored blocks.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            stream += [rest.isEmpty ? 1 : 0, UInt8(length & 255), UInt8(length >> 8), UInt8(~length & 255), UInt8(~length >> 8)] + block
        } while !rest.isEmpty
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return stream + word(Int(high << 16 | low))
    }
}
