import FoundationEssentials
import Glibc
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
        "Bash itself completes what the script says",
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

    @Test("The scripts are sound in their shells, where these are installed", arguments: [Shell.bash, .zsh, .fish])
    func syntax(shell: Shell) async throws {
        guard ["/bin/", "/usr/bin/"].contains(where: { access($0 + shell.rawValue, X_OK) == 0 }) else { return }
        #expect(try await output(of: shell.rawValue + " -n", script: shell.completionScript(for: sample)) == "")
    }

    /// What a shell prints when it runs `script`, errors included.
    private func output(of shell: String, script: String) async throws -> String {
        try await withTemporaryDirectory { directory in
            try script.write(toFile: directory + "/script", atomically: false, encoding: .utf8)
            let stream = popen("\(shell) \(directory)/script 2>&1", "r")
            defer { pclose(stream) }
            var bytes: [UInt8] = []
            while case let byte = fgetc(stream), byte >= 0 { bytes.append(UInt8(byte)) }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
