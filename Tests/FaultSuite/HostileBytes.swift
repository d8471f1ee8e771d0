import Core

/// Pictures made by hand, byte by byte, that no encoder would make.
enum HostileBytes {
    /// `jpeg` with another size in its frame header.
    static func withFrameSize(_ jpeg: [UInt8], width: Int, height: Int) -> [UInt8] {
        var bytes = jpeg
        var at = 2
        while at + 9 < bytes.count, bytes[at] == 0xFF {
            let isFrame = (0xC0...0xC2).contains(bytes[at + 1])
            if isFrame {
                bytes.replaceSubrange(at + 5..<at + 9, with: big(height, 2) + big(width, 2))
                return bytes
            }
            at += 2 + Int(bytes[at + 2]) << 8 + Int(bytes[at + 3])
        }
        return bytes
    }

    /// `jpeg` with an EXIF segment that says nothing, at length.
    static func withExif(_ jpeg: [UInt8], byteCount: Int) -> [UInt8] {
        let tiff: [UInt8] = [0x4D, 0x4D, 0, 0x2A, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0]
        let payload = Array("Exif\0\0".utf8) + tiff + Array(repeating: 0x41, count: byteCount)
        return Array(jpeg[..<2]) + [0xFF, 0xE1] + big(payload.count + 2, 2) + payload + Array(jpeg[2...])
    }

    /// A PNG with one bit a pixel, whose rows never come.
    static func png(width: Int, height: Int) -> [UInt8] {
        let header = big(width, 4) + big(height, 4) + [1, 0, 0, 0, 0]
        let empty: [UInt8] = [0x78, 0x9C, 0x03, 0, 0, 0, 0, 1]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header) + chunk("IDAT", empty) + chunk("IEND", [])
    }

    /// A GIF with one frame as large as its screen, and one pixel in it.
    static func gif(width: Int, height: Int) -> [UInt8] {
        let size = Array(big(width, 2).reversed()) + Array(big(height, 2).reversed())
        return Array("GIF89a".utf8) + size + [0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0x2C, 0, 0, 0, 0] + size + [
            0, 2, 2, 0x44, 0x01, 0, 0x3B,
        ]
    }

    /// An AVIF whose tables promise so many items.
    static func avif(items: Int) -> [UInt8] {
        let handler = fullBox("hdlr", [0, 0, 0, 0] + Array("pict".utf8) + Array(repeating: 0, count: 13))
        let primary = fullBox("pitm", [0, 1])
        let locations = fullBox("iloc", version: 2, [0x44, 0x00] + big(items, 4))
        let infos = fullBox("iinf", version: 1, big(items, 4))
        let meta = fullBox("meta", handler + primary + locations + infos)
        let type = box("ftyp", Array("avif".utf8) + [0, 0, 0, 0] + Array("avifmif1miaf".utf8))
        return type + meta + box("mdat", Array(repeating: 0, count: 16))
    }

    // MARK: - Parts

    static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let covered = Array(type.utf8) + content
        return big(content.count, 4) + covered + big(Int(checksum(covered)), 4)
    }

    /// CRC-32 as PNG has it.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF as UInt32) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
        }
    }

    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        big(content.count + 8, 4) + Array(type.utf8) + content
    }

    private static func fullBox(_ type: String, version: UInt8 = 0, _ content: [UInt8]) -> [UInt8] {
        box(type, [version, 0, 0, 0] + content)
    }
}
