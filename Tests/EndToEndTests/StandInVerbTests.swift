import Core
import FoundationEssentials
import Glibc
import Mirroring
import TestSupport
import Testing

extension EndToEnd {
    @Suite("The verb standin")
    struct StandInVerbTests {
        private func environment(_ home: String) -> [String: String] {
            ["HOME": home, "PATH": ProgramUnderTest.buildDirectory + ":/usr/bin:/bin"]
        }

        @Test("It runs a command with its addresses and its key in the environment, and ends with it")
        func command() async throws {
            try await withTemporaryDirectory { home in
                let ending = try await ProgramUnderTest.run(
                    ["standin", "--titles", "3", "--", "sh", "-c", "env; posterity mirror --sizes w185 --json"],
                    environment: environment(home), in: home)
                #expect(ending.status == 0, "\(ending.errors)")
                #expect(ending.output.contains("POSTERITY_API=http://127.0.0.1:"))
                #expect(ending.output.contains("POSTERITY_IMAGES=http://127.0.0.1:"))
                #expect(ending.output.contains("AMODB_KEY=posterity-demo"))
                #expect(ending.output.contains("\"fetched\" : 3"))
                #expect(CacheInspection(root: home + "/.cache/posterity").objects.count == 6)
            }
        }

        @Test("It ends with the command's exit status", arguments: [0, 1, 3, 7, 41, 255])
        func status(status: Int32) async throws {
            try await withTemporaryDirectory { home in
                let ending = try await ProgramUnderTest.run(
                    ["standin", "--titles", "1", "--", "sh", "-c", "exit \(status)"], environment: environment(home), in: home)
                #expect(ending.status == status)
                #expect(ending.errors == "")
            }
        }

        @Test("A command that a signal ended gives 128 and the signal, one that is not there a sentence and 1")
        func failures() async throws {
            try await withTemporaryDirectory { home in
                let killed = try await ProgramUnderTest.run(
                    ["standin", "--titles", "1", "--", "sh", "-c", "kill -9 $$"], environment: environment(home), in: home)
                #expect(killed.status == 128 + SIGKILL)
                let absent = try await ProgramUnderTest.run(
                    ["standin", "--titles", "1", "--", "no-such-command"], environment: environment(home), in: home)
                #expect(absent.status == 1)
                #expect(absent.errorLines.count == 1)
            }
        }

        @Test("It prints its addresses and stops on SIGTERM with 0", arguments: [SIGTERM, SIGINT])
        func running(signal: Int32) async throws {
            try await withTemporaryDirectory { home in
                try await Tool.withProcess(
                    ProgramUnderTest.path, ["standin", "--json", "--titles", "2"], environment: environment(home), directory: home
                ) { program in
                    let line = try #require(try await program.nextLine())
                    let addresses = try JSONText.decode([String: String].self, from: Array(line.utf8))
                    var environment = environment(home)
                    environment["AMODB_KEY"] = addresses["key"]
                    let mirror = try await ProgramUnderTest.run(
                        ["mirror", "--api", try #require(addresses["api"]), "--images", try #require(addresses["images"])],
                        environment: environment, in: home)
                    #expect(mirror.status == 0, "\(mirror.errors)")
                    program.signal(signal)
                    let ending = try await program.ending()
                    #expect(ending.status == 0)
                    #expect(ending.errors == "")
                }
            }
        }

        @Test("SIGTERM ends the command beside it as well")
        func stopsItsCommand() async throws {
            try await withTemporaryDirectory { home in
                try await Tool.withProcess(
                    ProgramUnderTest.path, ["standin", "--titles", "1", "--", "sh", "-c", "echo $$; exec sleep 300"],
                    environment: environment(home), directory: home
                ) { program in
                    let child = try #require(Int32(try await program.nextLine() ?? ""))
                    program.signal(SIGTERM)
                    #expect(try await program.ending().status == 128 + SIGTERM)
                    // Its number alone says little: on a busy machine it may be another's by now.
                    let left = try? Data(contentsOf: URL(filePath: "/proc/\(child)/cmdline"))
                    #expect(left.map { String(decoding: $0, as: UTF8.self) }?.hasPrefix("sleep") != true)
                }
            }
        }
    }
}
