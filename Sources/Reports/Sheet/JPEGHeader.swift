/// What must be known of a JPEG to embed it in a PDF as it is.
struct JPEGHeader: Sendable, Equatable {
    /// As stored, before any turning.
    let widthPixels: Int
    let heightPixels: Int
    /// 1 for grey, 3 for colour, 4 for inks.
    let components: Int
    let bitsPerComponent: Int
    /// As EXIF numbers it: 1 for upright.
    let orientation: Int

    /// Nil when `bytes` is not a JPEG with a frame header.
    init?(_ bytes: [UInt8]) {
        guard bytes.count > 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else { return nil }
        var place = 2
        var orientation = 1
        while place + 4 <= bytes.count {
            guard bytes[place] == 0xFF else { return nil }
            let marker = bytes[place + 1]
            // A marker may be preceded by any number of fill bytes.
            if marker == 0xFF {
                place += 1
                continue
            }
            let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
            guard length >= 2, place + 2 + length <= bytes.count else { return nil }
            let segment = bytes[place + 4..<place + 2 + length]
            switch marker {
            case 0xC0...0xCF where marker != 0xC4 && marker != 0xC8 && marker != 0xCC:
                guard segment.count >= 6 else { return nil }
                let frame = Array(segment)
                bitsPerComponent = Int(frame[0])
                heightPixels = Int(frame[1]) << 8 | Int(frame[2])
                widthPixels = Int(frame[3]) << 8 | Int(frame[4])
                components = Int(frame[5])
                self.orientation = orientation
                guard widthPixels > 0, heightPixels > 0 else { return nil }
                return
            case 0xE1: orientation = Self.orientation(inEXIF: Array(segment)) ?? orientation
            case 0xDA, 0xD9: return nil
            default: break
            }
            place += 2 + length
        }
        return nil
    }

    /// Whether every PDF reader shows it as it is meant: inks are told apart only by guesswork, so they are not.
    var isEmbeddable: Bool {
        bitsPerComponent == 8 && (components == 1 || components == 3) && max(widthPixels, heightPixels) <= Self.longestSide
    }

    /// What cairo takes is twice that, but it sets memory aside for it.
    private static let longestSide = 16_384

    private static func orientation(inEXIF segment: [UInt8]) -> Int? {
        guard segment.count > 14, segment.starts(with: Array("Exif\0\0".utf8)) else { return nil }
        let tiff = Array(segment.dropFirst(6))
        let isLittle = tiff[0] == UInt8(ascii: "I")
        func number(at place: Int, bytes count: Int) -> Int? {
            guard place >= 0, place + count <= tiff.count else { return nil }
            let digits = isLittle ? Array(tiff[place..<place + count].reversed()) : Array(tiff[place..<place + count])
            return digits.reduce(0) { $0 << 8 | Int($1) }
        }
        guard let directory = number(at: 4, bytes: 4), let count = number(at: directory, bytes: 2) else { return nil }
        for entry in 0..<count {
            let place = directory + 2 + entry * 12
            guard let tag = number(at: place, bytes: 2) else { return nil }
            if tag == 0x0112 { return number(at: place + 8, bytes: 2).flatMap { (1...8).contains($0) ? $0 : nil } }
        }
        return nil
    }
}
