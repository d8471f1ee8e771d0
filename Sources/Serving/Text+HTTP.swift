extension String {
    /// Whether two names differ in the case of ASCII letters at most.
    func equalsIgnoringCase(_ other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        return zip(utf8, other.utf8).allSatisfy { $0 == $1 || $0.lowercasedASCII == $1.lowercasedASCII }
    }

    /// Text that is safe within a header: whatever is not printable ASCII goes out percent-encoded, so that no line can be ended or begun.
    var headerSafe: String {
        guard utf8.contains(where: { !(0x20...0x7E).contains($0) }) else { return self }
        var safe = ""
        for byte in utf8 {
            if (0x20...0x7E).contains(byte) {
                safe.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                safe += byte < 16 ? "%0" : "%"
                safe += String(byte, radix: 16, uppercase: true)
            }
        }
        return safe
    }
}

extension Substring.UTF8View {
    /// The text with its percent encoding undone once; what is not a proper `%XX` stays as it is.
    func percentDecoded(plusIsSpace: Bool) -> String {
        guard contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return String(Substring(self)) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        var rest = self[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first?.hexValue, let low = rest.dropFirst().first?.hexValue {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") && plusIsSpace ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    var lowercasedASCII: UInt8 { (65...90).contains(self) ? self | 0x20 : self }

    var hexValue: UInt8? {
        switch self {
        case 48...57: self - 48
        case 65...70: self - 55
        case 97...102: self - 87
        default: nil
        }
    }
}
