import FoundationEssentials
import TestSupport
import Testing

@testable import Commands

@Suite("Completion")
struct CompletionTests {
    @Test("Every flag of every verb is in its help, in the manual page and in every script")
    func everywhere() {
        let scripts = Shell.allCases.map { $0.completionScript(for: sample) }
        let manual = ManualPage.text(of: sample)
        for verb in sample.verbs {
            let page = HelpText().page(of: verb)
            for facts in verb.allFlags.map(\.facts) {
                #expect(page.contains("--\(facts.name)") || page.contains("--[no-]\(facts.name)"), "\(verb.name) --\(facts.name)")
                #expect(manual.contains("Fl \\-" + facts.name) || manual.contains("Fl -" + facts.name), "--\(facts.name)")
                for script in scripts { #expect(script.contains("--" + facts.name) || script.contains("-l " + facts.name)) }
            }
        }
    }

    @Test("No line of help is wider than its terminal", arguments: [40, 60, 80, 100])
    func helpWidth(width: Int) {
        for verb in sample.verbs {
            let examples = verb.examples.map { "  " + $0.command }
            for line in HelpText(width: width).page(of: verb).split(separator: "\n") where !examples.contains(String(line)) {
                #expect(line.displayWidth <= width || line.split(separator: " ").count == 1, "\(line)")
            }
        }
    }

    @Test(
        "Bash itself completes what the script says", .enabled(if: Tool.isInstalled("bash"), "needs bash (apt-get install bash)"),
        arguments: [
            (["posterity", "mi"], "mirror"),
            (["posterity", "-q", "sh"], "sheet"),
            (["posterity", "mirror", "--concu"], "--concurrency"),
            (["posterity", "mirror", "--no"], "--no-heed"),
            (["posterity", "sheet", "--format", "w"], "webp"),
            (["posterity", "sheet", "--format", "=", "j"], "jpeg"),
            (["posterity", "sheet", "--format", "="], "png jpeg webp pdf"),
            (["posterity", "mirror", "--sizes", "w185,w5"], "w185,w500"),
            (["posterity", "mirror", "--top", ""], ""),
            (["posterity", "mirror", "movie"], "movie/popular"),
            (["posterity", "mirror", "--cache", "/et"], "/etc"),
            (["posterity", "help", "mi"], "mirror"),
            (["posterity", "completion", "z"], "zsh"),
        ])
    func bash(words: [String], expected: String) async throws {
        let script = Shell.bash.completionScript(for: sample)
        let line = words.map(Shell.quoted).joined(separator: " ")
        let ask = "\(script)\nCOMP_WORDS=(\(line)); COMP_CWORD=\(words.count - 1); _posterity; echo \"${COMPREPLY[*]}\"\n"
        #expect(try await output(of: "bash", script: ask) == expected + "\n")
    }

    @Test("The script for Bash is sound in its eyes", .enabled(if: Tool.isInstalled("bash"), "needs bash (apt-get install bash)"))
    func bashSyntax() async throws { try await expectSound(.bash) }

    @Test("The script for Z shell is sound in its eyes", .enabled(if: Tool.isInstalled("zsh"), "needs zsh (apt-get install zsh)"))
    func zshSyntax() async throws { try await expectSound(.zsh) }

    @Test("The script for fish is sound in its eyes", .enabled(if: Tool.isInstalled("fish"), "needs fish (apt-get install fish)"))
    func fishSyntax() async throws { try await expectSound(.fish) }

    private func expectSound(_ shell: Shell) async throws {
        #expect(try await output(of: shell.rawValue + " -n", script: shell.completionScript(for: sample)) == "")
    }

    /// What a shell prints when it runs `script`, errors included.
    private func output(of shell: String, script: String) async throws -> String {
        try await withTemporaryDirectory { directory in
            try script.write(toFile: directory + "/script", atomically: false, encoding: .utf8)
            return try await Tool.outcome(of: "sh", ["-c", "\(shell) \(directory)/script 2>&1"]).text
        }
    }
}
