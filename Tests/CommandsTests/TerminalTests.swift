import FoundationEssentials
import TestSupport
import Testing

@testable import Commands

@Suite("On a terminal", .enabled(if: Tool.isInstalled("script"), "needs script (apt-get install bsdutils)"))
struct TerminalTests {
    /// What a command line prints on a pseudo-terminal, both streams together.
    private func onTerminal(_ line: String, columns: Int = 80, environment: String) async throws -> String {
        let inner = "stty cols \(columns); exec env -i HOME=/nonexistent \(environment) \(samplePath) \(line)"
        return try await Tool.outcome(of: "script", ["-qec", inner, "/dev/null"]).text
    }

    @Test("Headings are bold, but plain with NO_COLOR or on a terminal that can do nothing")
    func colour() async throws {
        #expect(try await onTerminal("--help", environment: "TERM=xterm").contains("\u{1B}[1mUsage:\u{1B}[0m"))
        for environment in ["TERM=xterm NO_COLOR=1", "TERM=dumb", ""] {
            let help = try await onTerminal("--help", environment: environment)
            #expect(help.contains("Usage:"))
            #expect(!help.contains("\u{1B}"), "\(environment)")
        }
    }

    @Test("Help is wrapped to the terminal's width")
    func wrapped() async throws {
        let lines = try await onTerminal("walk --help", columns: 50, environment: "TERM=dumb").split(separator: "\r\n")
        #expect(lines.count > 5)
        for line in lines { #expect(line.displayWidth <= 50, "\(line)") }
    }

    @Test("The bar is drawn over itself, log lines stay, and at the end nothing of the bar is left")
    func bar() async throws {
        let shown = try await onTerminal("walk --count 30 --pause 10ms", columns: 60, environment: "TERM=xterm NO_COLOR=1 LANG=C.UTF-8")
        #expect(shown.contains("\rwalking ─"))
        #expect(shown.contains("\r\u{1B}[Kposterity: step 10\r\n"))
        #expect(shown.hasSuffix("\r\u{1B}[Karrived\r\n"))
        #expect(try await !onTerminal("walk --count 30", environment: "TERM=dumb").contains("\u{1B}"))
    }
}
