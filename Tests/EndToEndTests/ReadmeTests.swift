import Core
import FoundationEssentials
import Glibc
import StandIn
import TestSupport
import Testing

extension EndToEnd {
    /// The README is what a newcomer types from, so every command in it is run.
    @Suite("README.md")
    struct ReadmeTests {
        private static let file = ProgramUnderTest.packageDirectory + "/README.md"

        @Test("It has under 150 lines, and every file that it links to is there")
        func form() throws {
            let text = try Self.text()
            #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count < 150)
            for link in text.matches(of: /\]\(([^)#:]+)\)/) {
                #expect(FileManager.default.fileExists(atPath: "\(ProgramUnderTest.packageDirectory)/\(link.output.1)"), "\(link.output.1)")
            }
        }

        @Test("Every command in it works")
        func commands() async throws {
            let commands = try Self.commands()
            #expect(commands.contains { $0.hasPrefix("scripts/demo") })
            #expect(commands.contains { $0.hasPrefix("scripts/test") })
            #expect(commands.contains { $0.hasPrefix("posterity mirror") })
            try await Scene.with(titles: 100) { scene in
                // What the commands stand on: a file for the key.
                try FileManager.default.createDirectory(atPath: scene.home + "/.config", withIntermediateDirectories: true)
                try Data(Scene.key.utf8).write(to: URL(filePath: scene.home + "/.config/amodb"))
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: scene.home + "/.config/amodb")
                for command in commands { try await run(command, in: scene) }
            }
        }

        // MARK: - Private

        private func run(_ command: String, in scene: Scene) async throws {
            let program = command.prefix { $0 != " " }
            if program.hasPrefix("scripts/") {
                // These install packages and build; that they are there and are a shell's scripts is what can be said here.
                let script = "\(ProgramUnderTest.packageDirectory)/\(program)"
                #expect(access(script, X_OK) == 0, "\(program)")
                let checked = try await ProgramUnderTest.run(["-n", script], program: "/bin/bash", environment: [:], in: scene.home)
                #expect(checked.status == 0, "\(program): \(checked.errors)")
            } else if program == "posterity" {
                let ending = try await ProgramUnderTest.run(
                    ["-c", command], program: "/bin/bash", environment: scene.environment, in: scene.home)
                #expect(ending.status == 0, "\(command): \(ending.errors)")
            } else {
                Issue.record("README.md has a command that this test does not know how to check: \(command)")
            }
        }

        private static func text() throws -> String {
            String(decoding: try Data(contentsOf: URL(filePath: file)), as: UTF8.self)
        }

        /// The commands in its ```sh blocks, continued lines joined, comments left out.
        private static func commands() throws -> [String] {
            var commands: [String] = []
            var isInside = false
            var pending = ""
            for line in try text().split(separator: "\n", omittingEmptySubsequences: false) {
                if line.hasPrefix("```") {
                    isInside = line == "```sh"
                    continue
                }
                guard isInside else { continue }
                let code = line.firstRange(of: " #").map { line[..<$0.lowerBound] } ?? line
                let trimmed = code.trimming { $0 == " " }
                guard !trimmed.isEmpty, !trimmed.hasPrefix("#") else { continue }
                if trimmed.hasSuffix("\\") {
                    pending += trimmed.dropLast() + " "
                    continue
                }
                commands.append(pending + trimmed)
                pending = ""
            }
            return commands
        }
    }
}

extension Substring {
    fileprivate func trimming(_ isTrimmed: (Character) -> Bool) -> Substring {
        var rest = self
        while let first = rest.first, isTrimmed(first) { rest.removeFirst() }
        while let last = rest.last, isTrimmed(last) { rest.removeLast() }
        return rest
    }
}
