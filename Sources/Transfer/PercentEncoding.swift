enum PercentEncoding {
    /// The bytes of `text` with whatever is percent-encoded decoded, again and again until nothing is.
    static func decode(_ text: String) -> [UInt8] {
        func value(_ digit: UInt8) -> UInt8? { Character(Unicode.Scalar(digit)).hexDigitValue.map(UInt8.init) }
        var bytes = Array(text.utf8)
        while true {
            var decoded: [UInt8] = []
            decoded.reserveCapacity(bytes.count)
            var index = 0
            while index < bytes.count {
                if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = value(bytes[index + 1]),
                    let low = value(bytes[index + 2])
                {
                    decoded.append(high << 4 | low)
                    index += 3
                } else {
                    decoded.append(bytes[index])
                    index += 1
                }
            }
            if decoded.count == bytes.count { return decoded }
            bytes = decoded
        }
    }

    /// `text` as UTF-8 with every byte percent-encoded that is not a letter, a digit, one of `-._~` or in `kept` (ASCII).
    static func encode(_ text: String, keeping kept: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let kept = Array(kept.utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                encoded.append(byte)
            case _ where kept.contains(byte):
                encoded.append(byte)
            default:
                encoded.append(contentsOf: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]])
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
