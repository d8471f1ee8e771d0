/// A number of bytes, written for people as `740 B`, `14.2 kB`, `3.1 MB`: decimal units, one decimal place.
package struct ByteCount: Sendable, Hashable, Comparable, Codable {
    package var bytes: Int64

    package init(_ bytes: some BinaryInteger) {
        self.bytes = Int64(bytes)
    }

    /// The count written as `text`: a whole number and, at will, `k`, `M` or `G`, with or without a `B` (`500M`, `2 GB`, `1048576`); nil otherwise.
    package init?(_ text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits) else { return nil }
        var unit = text.dropFirst(digits.count).drop { $0 == " " }
        if unit.hasSuffix("B") { unit.removeLast() }
        let scales: [Substring: Int64] = ["": 1, "k": 1_000, "K": 1_000, "M": 1_000_000, "G": 1_000_000_000]
        guard let scale = scales[unit] else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: scale)
        guard !overflow else { return nil }
        bytes = product
    }

    package static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }
    package static func + (left: ByteCount, right: ByteCount) -> ByteCount { ByteCount(left.bytes + right.bytes) }
    package static func += (left: inout ByteCount, right: ByteCount) { left.bytes += right.bytes }

    package init(from decoder: any Decoder) throws {
        bytes = try decoder.singleValueContainer().decode(Int64.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(bytes)
    }
}

extension ByteCount: CustomStringConvertible {
    package var description: String {
        var value = Double(bytes)
        guard abs(value) >= 1_000 else { return "\(bytes) B" }
        var unit = ""
        for next in ["kB", "MB", "GB", "TB"] where abs(value) >= 999.95 || unit.isEmpty {
            value /= 1_000
            unit = next
        }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(abs(tenths % 10)) \(unit)"
    }
}
