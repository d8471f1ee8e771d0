import Core
import FoundationEssentials
import Testing

@Suite("JSON written as it comes")
struct JSONWriterTests {
    private func text(_ body: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        body(&json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test("Lines are indented, one-line parts are not, and what is empty stays on its line")
    func layout() {
        let text = text { json in
            json.object { json in
                json.member("a") { $0.object { _ in } }
                json.member("b") { json in
                    json.array { json in
                        json.element {
                            $0.object(.oneLine) { json in
                                json.member("x", 1)
                                json.member("y", ["p", "q"])
                            }
                        }
                        json.element { $0.number(2) }
                    }
                }
                json.member("c", true)
            }
        }
        #expect(
            text == """
                {
                  "a": {},
                  "b": [
                    {"x": 1, "y": ["p", "q"]},
                    2
                  ],
                  "c": true
                }
                """)
    }

    @Test(
        "Any text comes back as it was",
        arguments: ["", "é\u{301}日本 👩‍👩‍👧", "\"\\/\u{0}\u{1}\u{1f}\u{7f}\n\r\t", "\u{2028}", String(repeating: "\\\"", count: 1_000)])
    func strings(value: String) throws {
        let json = text { json in json.array { json in json.element { $0.string(value) } } }
        let decoded = try JSONText.decode([String].self, from: Array(json.utf8))
        #expect(decoded.map { Array($0.utf8) } == [Array(value.utf8)])
    }

    @Test("Numbers come back as they were, whole ones without a fraction", arguments: [0, 7, 7.1, -0.25, 1e-9, 123_456_789, 1e300])
    func numbers(value: Double) throws {
        let json = text { $0.array { json in json.element { $0.number(value) } } }
        #expect(try JSONText.decode([Double].self, from: Array(json.utf8)) == [value])
        if value == 7 { #expect(json.contains("7\n")) }
    }

    @Test("Absent values are null, dates are ISO 8601")
    func members() {
        let text = text { json in
            json.object(.oneLine) { json in
                json.member("a", nil as Int?)
                json.member("b", nil as String?)
                json.member("c", Date(timeIntervalSince1970: 0))
                json.member("d", encoded: ["z": 1])
                json.member("e", encoded: nil as [Int]?)
            }
        }
        #expect(text == #"{"a": null, "b": null, "c": "1970-01-01T00:00:00Z", "d": {"z":1}, "e": null}"#)
    }
}
