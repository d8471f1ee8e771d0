import Core
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import Commands

@Suite("Values")
struct ValueParserTests {
    @Test(
        "A time is numbers with units, and written back the same",
        arguments: [
            ("0s", 0, "0s"), ("250ms", 250, "250ms"), ("30s", 30_000, "30s"), ("10m", 600_000, "10m"), ("90s", 90_000, "1m30s"),
            ("2h", 7_200_000, "2h"), ("1h30m", 5_400_000, "1h30m"), ("7d", 604_800_000, "7d"), ("0", 0, "0s"),
        ])
    func duration(text: String, milliseconds: Int, written: String) throws {
        let duration = try #require(DurationText.parse(text))
        #expect(duration == .milliseconds(milliseconds))
        #expect(DurationText.describe(duration) == written)
    }

    @Test("What is not a time is refused", arguments: ["", "10", "s", "-5s", "1.5h", "10 m", "5x", "99999999999999999d", "٣s"])
    func notADuration(text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test("A duration has bounds")
    func durationBounds() {
        let parser = ValueParser<Duration>.duration(atLeast: .seconds(1), atMost: .seconds(60))
        #expect(throws: ValueError.self) { try parser.parse("500ms") }
        #expect(throws: ValueError.self) { try parser.parse("2m") }
        #expect((try? parser.parse("60s")) == .seconds(60))
    }

    @Test("Sizes are those that the host could have", arguments: ["w185", "w1", "h632", "original"])
    func sizes(text: String) throws {
        #expect(try ValueParser<String>.size.parse(text) == text)
    }

    @Test("Other sizes are refused", arguments: ["", "w", "w0", "w-1", "w+5", "x185", "185", "w99999", "Original", "w١", "w185 "])
    func noSizes(text: String) {
        #expect(throws: ValueError.self) { try ValueParser<String>.size.parse(text) }
    }

    @Test("A list has each value once, and no empty place")
    func commaList() throws {
        let parser = ValueParser<[String]>.commaList(of: .size, "SIZES")
        #expect(try parser.parse("w500, w185,w500") == ["w500", "w185"])
        for text in ["", ",", "w1,", "w1,,w2", "w1,x"] { #expect(throws: ValueError.self) { try parser.parse(text) } }
    }

    @Test("Bytes, addresses and paths are checked")
    func others() throws {
        #expect(try ValueParser<ByteCount>.byteCount().parse("5M") == ByteCount(5_000_000))
        #expect(throws: ValueError.self) { try ValueParser<ByteCount>.byteCount(atLeast: ByteCount(1_000)).parse("999") }
        #expect(try ValueParser<String>.url.parse("http://127.0.0.1:8080/3") == "http://127.0.0.1:8080/3")
        #expect(throws: ValueError.self) { try ValueParser<String>.url.parse("ftp://host/") }
        #expect(try ValueParser<String>.existingDirectory.parse("/tmp") == "/tmp")
        #expect(throws: ValueError.self) { try ValueParser<String>.existingFile.parse("/tmp") }
        #expect(throws: ValueError.self) { try ValueParser<String>.existingDirectory.parse("/dev/null") }
    }
}

@Suite("The key")
struct KeySourceTests {
    private func key(_ content: String, mode: mode_t, environment: [String: String] = [:]) async throws -> (String?, [String]) {
        try await withTemporaryDirectory { directory in
            let file = directory + "/key"
            try content.write(toFile: file, atomically: false, encoding: .utf8)
            chmod(file, mode)
            var warnings: [String] = []
            let key = try KeySource.key(file: file, Environment(environment)) { warnings.append($0) }
            return (key, warnings)
        }
    }

    @Test("The file's key goes before the variable's, and has no space around it")
    func file() async throws {
        let (key, warnings) = try await key("  k3y\r\n", mode: 0o600, environment: ["AMODB_KEY": "other"])
        #expect(key == "k3y")
        #expect(warnings.isEmpty)
    }

    @Test("A byte order mark before the key is no part of it")
    func byteOrderMark() async throws {
        #expect(try await key("\u{FEFF}k3y\n", mode: 0o600).0 == "k3y")
    }

    @Test("A pipe that nobody writes to is refused, not waited for; one with a writer gives the key")
    func pipe() async throws {
        try await withTemporaryDirectory { (directory) async throws in
            let pipe = directory + "/pipe"
            #expect(mkfifo(pipe, 0o600) == 0)
            let error = #expect(throws: UsageError.self) { try KeySource.key(file: pipe, Environment()) { _ in } }
            #expect(error?.description.contains("nobody writes") == true)
            let descriptor = open(pipe, O_RDWR | O_NONBLOCK)
            #expect(write(descriptor, "k3y\n", 4) == 4)
            let reader = open(pipe, O_RDONLY | O_NONBLOCK)
            defer { close(reader) }
            close(descriptor)
            #expect(try KeySource.key(file: "/dev/fd/\(reader)", Environment()) { _ in } == "k3y")
        }
    }

    @Test("A file that others can read is warned of")
    func permissions() async throws {
        let (_, warnings) = try await key("k3y", mode: 0o644)
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("k3y") == false)
    }

    @Test(
        "An empty file, or one with several words, is refused without showing it", arguments: ["", " \n", "two words", "k\u{1B}y", "clé"])
    func refused(content: String) async throws {
        let error = await #expect(throws: UsageError.self) { try await self.key(content, mode: 0o600) }
        #expect(content.count < 2 || error?.description.contains(content) == false)
    }

    @Test("Without a file the variable counts, if it is not empty")
    func variable() throws {
        #expect(try KeySource.key(file: nil, Environment(["AMODB_KEY": " k3y "])) { _ in } == "k3y")
        #expect(try KeySource.key(file: nil, Environment(["AMODB_KEY": " "])) { _ in } == nil)
        #expect(try KeySource.key(file: nil, Environment()) { _ in } == nil)
        #expect(throws: UsageError.self) { try KeySource.key(file: "/nonexistent", Environment()) { _ in } }
    }
}
