import Core
import FoundationEssentials
import Testing

@Suite("Texts, counts and weeks")
struct TextTests {
    @Test(
        "What could disturb a terminal is written out, and every script stays",
        arguments: [
            ("Die Schöne 🐎 — 東京", "Die Schöne 🐎 — 東京"),
            ("שלום नमस्ते 👩‍👩‍👧", "שלום नमस्ते 👩‍👩‍👧"),
            ("a\u{1B}[31mred", "a\\u{1b}[31mred"),
            ("two\nlines\r", "two\\u{a}lines\\u{d}"),
            ("\u{202E}evil\u{2066}", "\\u{202e}evil\\u{2066}"),
            ("nul\u{0}\u{9B}\u{2028}", "nul\\u{0}\\u{9b}\\u{2028}"),
        ])
    func printable(text: String, expected: String) {
        #expect(text.printable == expected)
    }

    @Test(
        "Byte counts read well",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (14_249, "14.2 kB"), (999_949, "999.9 kB"), (999_950, "1.0 MB"),
            (3_141_592, "3.1 MB"), (2_500_000_000, "2.5 GB"), (-1_500, "-1.5 kB"),
        ])
    func byteCount(bytes: Int, text: String) {
        #expect(ByteCount(bytes).description == text)
    }

    @Test(
        "Byte counts are read with and without units",
        arguments: [
            ("1048576", 1_048_576), ("500M", 500_000_000), ("2 GB", 2_000_000_000), ("8k", 8_000), ("7B", 7), ("", nil), ("-1", nil),
            ("1.5M", nil),
            ("99999999999G", nil), ("5 T", nil),
        ] as [(String, Int?)])
    func readByteCount(text: String, bytes: Int?) {
        #expect(ByteCount(text) == bytes.map { ByteCount($0) })
    }

    @Test(
        "Weeks are those of ISO 8601",
        arguments: [
            // The standard's own edge cases: years that begin on Thursday have 53 weeks; early January may belong to the year before.
            ("2026-11-30T06:00:00Z", "2026-W49"), ("2026-11-29T23:59:59Z", "2026-W48"), ("2027-01-03T12:00:00Z", "2026-W53"),
            ("2027-01-04T00:00:00Z", "2027-W01"), ("2024-12-30T00:00:00Z", "2025-W01"), ("2020-12-31T00:00:00Z", "2020-W53"),
            ("2021-01-01T00:00:00Z", "2020-W53"), ("1970-01-01T00:00:00Z", "1970-W01"), ("1969-12-28T00:00:00Z", "1969-W52"),
        ])
    func isoWeek(date: String, week: String) throws {
        let date = try #require(Date(iso8601: date))
        #expect(ISOWeek(containing: date).description == week)
        #expect(ISOWeek(week) == ISOWeek(containing: date))
    }

    @Test("Texts that are no week are refused", arguments: ["", "2026-W00", "2026-W54", "2026W48", "26-W01", "2026-48", "2026-W4"])
    func notAWeek(text: String) {
        #expect(ISOWeek(text) == nil)
    }

    @Test("JSON of equal values is equal, byte for byte, with plain slashes")
    func json() throws {
        let json = try JSONText.encode(["b": "/x", "a": "é"], pretty: false)
        #expect(String(decoding: json, as: UTF8.self) == "{\"a\":\"é\",\"b\":\"/x\"}\n")
    }

    @Test("A log line below the minimum is not even made, and one above it is safe to print")
    func log() async {
        await confirmation(expectedCount: 1) { written in
            let log = Log(minimum: .warning) { level, text in
                #expect(level == .warning)
                #expect(text == "bad\\u{a}title")
                written()
            }
            log.info({ () -> String in fatalError("made in vain") }())
            log.warning("bad\ntitle")
        }
    }
}

@Suite("HTTP dates")
struct HTTPDateTests {
    private let now = Date(timeIntervalSince1970: 1_796_020_904)

    @Test(
        "A date is written in the form that HTTP prefers, and read back", arguments: [0, 784_111_777, 951_782_400, 1_796_020_904, -86_400])
    func roundTrip(seconds: Int) throws {
        let date = Date(timeIntervalSince1970: Double(seconds))
        #expect(HTTPDate.parse(HTTPDate.text(date), now: now) == date)
    }

    @Test("The form is that of RFC 9110's example")
    func form() {
        #expect(HTTPDate.text(Date(timeIntervalSince1970: 784_111_777)) == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test(
        "Dates are written as the standard library writes them, and read back",
        arguments: [-62_135_596_800, -1, 0, 951_782_400, 1_796_000_504, 253_402_300_799, 253_402_300_800])
    func dates(seconds: Int) {
        for offset in [0, 1, 59, 86_399, 86_400, 31_536_000 * 3] {
            let date = Date(timeIntervalSince1970: Double(seconds + offset) + 0.4)
            #expect(date.iso8601 == date.formatted(Date.ISO8601FormatStyle()))
        }
        #expect(Date(iso8601: Date(timeIntervalSince1970: Double(seconds)).iso8601) == Date(timeIntervalSince1970: Double(seconds)))
    }
}
