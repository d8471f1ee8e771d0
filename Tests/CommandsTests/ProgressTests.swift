import Core
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import Commands

@Suite("Progress")
struct ProgressTests {
    private var line: ProgressLine {
        var line = ProgressLine(label: "mirroring", unit: "pictures")
        line.done = 450
        line.total = 900
        line.failed = 2
        line.bytes = ByteCount(12_300_000)
        line.rate = 145
        return line
    }

    @Test(
        "The less room, the less is said",
        arguments: [
            (3, ""),
            (8, "450/900"),
            (20, "450/900 · 2 failed"),
            (30, "450/900 · 2 failed · 4s left"),
            (40, "━━━━━───── 450/900 · 2 failed · 4s left"),
            (80, "mirroring ━━━━━━━━━━────────── 450/900 · 2 failed · 145/s · 12.3 MB · 4s left"),
            (120, "mirroring ━━━━━━━━━━━━━━━─────────────── 450/900 pictures · 2 failed · 145/s · 12.3 MB · 4s left"),
        ])
    func widths(width: Int, expected: String) {
        #expect(line.render(width: width) == expected)
    }

    @Test("No line is wider than its terminal, whatever it has to say")
    func neverTooWide() {
        for note in ["", "waiting for the host", "影の下の長い長い夏の日々", "👩‍👩‍👧‍👦 Family 🇫🇷", "שלום עולם", "नमस्ते क्षत्रिय"] {
            for total in [nil, 0, 900, 1_000_000] {
                var line = line
                line.note = note
                line.total = total
                for width in 1...200 {
                    #expect(line.render(width: width).displayWidth <= width, "\(width) \(note)")
                    #expect(line.render(width: width, unicode: false).displayWidth <= width, "\(width) \(note)")
                }
            }
        }
    }

    @Test("Without Unicode a line is ASCII")
    func ascii() {
        var line = line
        line.note = "waiting for a host that has asked to be left alone for a long, long time, as hosts will"
        #expect(line.render(width: 110, unicode: false).utf8.allSatisfy { $0 < 128 })
    }

    @Test("A note cannot move the cursor, and is cut between characters")
    func note() {
        var line = line
        line.note = "\u{1B}[2J影影影影影影影影影影"
        let text = line.render(width: 108)
        #expect(!text.unicodeScalars.contains("\u{1B}"))
        #expect(text.hasSuffix("影…"))
    }

    @Test("A line for a file is a sentence")
    func plain() {
        #expect(line.plain == "mirroring: 450 of 900 pictures (50 %), 2 failed, 145/s, 12.3 MB, 4s left")
        #expect(ProgressLine(label: "verifying", unit: "objects").plain == "verifying: 0 objects")
    }

    @Test("The rate is that of the last seconds")
    func rate() {
        let start = ContinuousClock.now
        var rate = ProgressRate(start: start)
        #expect(rate.perSecond(done: 5, at: start + .milliseconds(100)) == nil)
        #expect(rate.perSecond(done: 50, at: start + .seconds(1)) == 50)
        for second in 2...20 { _ = rate.perSecond(done: 50, at: start + .seconds(second)) }
        #expect(rate.perSecond(done: 50, at: start + .seconds(21)) == 0)
        #expect(rate.perSecond(done: 160, at: start + .seconds(22)) == 11)
    }

    @Test("Plain lines come after tenths, but not often, and otherwise now and then")
    func pace() {
        let start = ContinuousClock.now
        var pace = PlainPace(start: start)
        let events: [(second: Int, done: Int, total: Int?)] = [
            (1, 50, 100), (4, 50, 100), (6, 60, 100), (8, 60, 100), (20, 60, 100), (23, 60, 100), (40, 3, nil),
        ]
        let due = events.filter { pace.isDue(done: $0.done, total: $0.total, at: start + .seconds($0.second)) }
        #expect(due.map(\.second) == [4, 8, 23, 40])
    }

    @Test("Log lines stand whole above the bar, and the bar is wiped at the end")
    func console() async throws {
        let written = try await written { terminal in
            let console = Console(terminal)
            console.show(bar: "bar 1")
            console.show(bar: "bar 1")
            console.log.warning("careful\nforged")
            console.show(bar: "bar 2")
            console.show(bar: "")
            console.log.info("over")
        }
        let wipe = "\r\u{1B}[K"
        #expect(
            written == "\rbar 1\u{1B}[K" + wipe + "posterity: warning: careful\\u{a}forged\nbar 1" + "\rbar 2\u{1B}[K" + wipe
                + "posterity: over\n")
    }

    @Test("A bar is drawn while its body runs, fed from many tasks, and gone when it throws")
    func bar() async throws {
        let written = try await written { terminal in
            let console = Console(terminal)
            try? await ProgressBar.withBar("counting", unit: "steps", total: 1_000, on: console) { bar in
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<1_000 { group.addTask { bar.advance(bytes: ByteCount(1)) } }
                }
                // Until the clock has drawn the full count.
                try await Task.sleep(for: .milliseconds(300))
                throw CancellationError()
            }
        }
        #expect(written.contains("1000/1000"))
        #expect(written.hasSuffix("\r\u{1B}[K"))
    }

    @Test("A time left that is known goes before what the rate would say, and is rounded alike")
    func timeLeft() {
        var line = line
        line.timeLeft = .seconds(15 * 62)
        #expect(line.render(width: 30) == "450/900 · 2 failed · 15m left")
        #expect(line.plain.hasSuffix("15m left"))
        line.timeLeft = .seconds(61)
        #expect(line.plain.hasSuffix("1m1s left"))
    }

    @Test("A bar that counts something else begins anew, with the time left that it is told")
    func countsAnew() async throws {
        let written = try await written { terminal in
            try? await ProgressBar.withBar("Mirroring", unit: "pictures", total: 9, on: Console(terminal)) { bar in
                bar.advance(by: 9, bytes: ByteCount(1_000_000))
                bar.count("Details", unit: "titles", done: 20, failed: 1, total: 300)
                bar.expectEnd(after: .seconds(868))
                try await Task.sleep(for: .milliseconds(300))
            }
        }
        #expect(written.contains("Details") && written.contains("20/300") && written.contains("1 failed") && written.contains("14m left"))
        #expect(!written.contains("MB · 14m"), "the pictures' bytes are not the titles'")
    }

    @Test("With --quiet there is no bar")
    func quiet() async throws {
        let written = try await written { terminal in
            try? await ProgressBar.withBar("counting", unit: "steps", on: Console(terminal, minimum: .error)) { bar in
                bar.advance()
                try await Task.sleep(for: .milliseconds(150))
            }
        }
        #expect(written == "")
    }

    /// What `body` writes to a terminal that can be drawn over.
    private func written(_ body: (Terminal) async -> Void) async throws -> String {
        try await withTemporaryDirectory { directory in
            let path = directory + "/terminal"
            let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
            defer { close(descriptor) }
            await body(Terminal(descriptor: descriptor, canRedraw: true))
            return try String(contentsOfFile: path, encoding: .utf8)
        }
    }
}

@Suite("Display width")
struct DisplayWidthTests {
    @Test(
        "A text is as wide as a terminal shows it",
        arguments: [
            ("abc", 3), ("é", 1), ("e\u{301}", 1), ("影", 2), ("한국", 4), ("한", 2), ("👩‍👩‍👧‍👦", 2), ("🇫🇷", 2), ("❤️", 2), ("…", 1), ("ﾊﾝ", 2),
            ("ﷺ", 1), ("", 0),
        ])
    func width(text: String, columns: Int) {
        #expect(text.displayWidth == columns)
    }

    @Test("A text is cut between characters, with room for the ellipsis")
    func fitted() {
        #expect("abcdef".fitted(to: 6) == "abcdef")
        #expect("abcdef".fitted(to: 5) == "abcd…")
        #expect("影の下".fitted(to: 5) == "影の…")
        #expect("影の下".fitted(to: 4) == "影…")
        #expect("影の下".fitted(to: 0) == "")
    }
}
