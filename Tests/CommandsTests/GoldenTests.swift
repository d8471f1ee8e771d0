import FoundationEssentials
import Testing

@testable import Commands

@Suite("Texts made from the table")
struct GoldenTests {
    static let texts: [(file: String, text: @Sendable () -> String)] = [
        ("overview.txt", { HelpText().overview(of: sample) }),
        ("mirror.txt", { HelpText().page(of: mirror) }),
        ("sheet.txt", { HelpText().page(of: sheet) }),
        ("mirror-40.txt", { HelpText(width: 40).page(of: mirror) }),
        ("posterity.1", { ManualPage.text(of: sample) }),
        ("completion.bash", { Shell.bash.completionScript(for: sample) }),
        ("completion.zsh", { Shell.zsh.completionScript(for: sample) }),
        ("completion.fish", { Shell.fish.completionScript(for: sample) }),
    ]

    /// To accept a change, run the tests once with `UPDATE_GOLDEN=1` and read the difference in git.
    @Test("Each is as it was approved", arguments: 0..<texts.count)
    func golden(index: Int) throws {
        let (file, text) = (Self.texts[index].file, Self.texts[index].text())
        let folder = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/Golden/"
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
            try text.write(toFile: folder + file, atomically: true, encoding: .utf8)
        }
        #expect(text == (try String(contentsOfFile: folder + file, encoding: .utf8)))
    }
}
