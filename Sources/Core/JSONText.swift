internal import FoundationEssentials

/// The one way this program writes and reads JSON: keys sorted, slashes plain, dates as ISO 8601, so that equal values give equal bytes.
package enum JSONText {
    /// - Parameter pretty: two spaces of indentation, for files that people read; else one line.
    package static func encode(_ value: some Encodable, pretty: Bool = true) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting =
            pretty ? [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes] : [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]
    }

    /// The whole text of what writes itself.
    package static func encode(_ value: some JSONWritable) -> [UInt8] {
        var json = JSONWriter()
        value.write(to: &json)
        return json.bytes + [UInt8(ascii: "\n")]
    }

    /// - Throws: `DecodingError`, which names the place.
    package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: some Collection<UInt8>) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(type, from: Data(bytes))
    }
}
