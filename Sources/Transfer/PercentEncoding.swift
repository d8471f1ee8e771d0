enum PercentEncoding {
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
