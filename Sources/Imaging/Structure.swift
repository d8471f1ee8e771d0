internal import Glibc

/// Follows a file's outermost structure to see whether its end is there. Costs next to nothing: it jumps from part to part.
enum Structure {
    /// Whether the file's last part is there. What follows the end, which some servers append, does not matter.
    static func isComplete(_ bytes: UnsafeRawBufferPointer, as format: ImageFormat) -> Bool {
        switch format {
        case .jpeg: jpegHasEnd(bytes)
        case .png: pngHasEnd(bytes)
        case .webp: bytes.count >= 12 && bytes.count - 8 >= bytes.littleEndian(at: 4)
        case .gif: gifHasEnd(bytes)
        case .avif: boxesEnd(bytes)
        }
    }

    /// How many scans a progressive JPEG has; 1 for every other, whose scans do not each go over the whole picture.
    static func scanCount(ofJPEG bytes: UnsafeRawBufferPointer) -> Int {
        guard let start = bytes.baseAddress else { return 1 }
        var (count, isProgressive, at) = (0, false, 2)
        while at + 1 < bytes.count, let found = memchr(start + at, 0xFF, bytes.count - 1 - at) {
            at = UnsafeRawPointer(found) - start
            switch bytes[at + 1] {
            case 0xC2, 0xCA: isProgressive = true
            case 0xDA:
                count += 1
                if !isProgressive { return 1 }
            default: break
            }
            at += 2
        }
        return max(1, count)
    }

    /// Segments up to the first scan, and then an EOI marker somewhere behind it.
    private static func jpegHasEnd(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if bytes.count >= 4, bytes[bytes.count - 2] == 0xFF, bytes[bytes.count - 1] == 0xD9 { return true }
        var at = 2
        while at + 4 <= bytes.count {
            guard bytes[at] == 0xFF else {
                at += 1
                continue
            }
            let marker = bytes[at + 1]
            if marker == 0xDA { break }
            // Fill bytes and markers that stand alone.
            let isAlone = marker == 0xFF || marker == 0 || marker == 1 || (0xD0...0xD8).contains(marker)
            at += isAlone ? 1 : 2 + bytes.bigEndian(at: at + 2, count: 2)
        }
        while at + 1 < bytes.count {
            if bytes[at] == 0xFF, bytes[at + 1] == 0xD9 { return true }
            at += 1
        }
        return false
    }

    private static func pngHasEnd(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var at = 8
        while at + 12 <= bytes.count {
            let length = bytes.bigEndian(at: at, count: 4)
            let isEnd = bytes.bigEndian(at: at + 4, count: 4) == 0x4945_4E44
            at += 12 + length
            if isEnd { return at <= bytes.count }
        }
        return false
    }

    private static func gifHasEnd(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= 13 else { return false }
        func colourTable(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }
        func skipSubBlocks(_ at: inout Int) {
            while at < bytes.count, bytes[at] != 0 { at += 1 + Int(bytes[at]) }
            at += 1
        }
        var at = 13 + colourTable(bytes[10])
        while at < bytes.count {
            switch bytes[at] {
            case 0x3B: return true
            case 0x21:
                at += 2
                skipSubBlocks(&at)
            case 0x2C where at + 10 <= bytes.count:
                at += 10 + colourTable(bytes[at + 9]) + 1
                skipSubBlocks(&at)
            default: return false
            }
        }
        return false
    }

    /// Whether the boxes of an ISO media file that describe and hold its pictures, `meta` and `mdat`, are there as long as they say they are.
    private static func boxesEnd(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var at = 0
        var missing: Set = [0x6D65_7461, 0x6D64_6174]
        while !missing.isEmpty, at + 8 <= bytes.count {
            var size = bytes.bigEndian(at: at, count: 4)
            missing.remove(bytes.bigEndian(at: at + 4, count: 4))
            if size == 0 { return true }
            if size == 1 {
                guard at + 16 <= bytes.count, bytes[at + 8] == 0 else { return false }
                size = bytes.bigEndian(at: at + 8, count: 8)
            }
            guard size >= 8, size <= bytes.count - at else { return false }
            at += size
        }
        return missing.isEmpty
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func bigEndian(at offset: Int, count: Int) -> Int {
        self[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Four bytes.
    fileprivate func littleEndian(at offset: Int) -> Int {
        self[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
