import FoundationEssentials
import Testing

@testable import Commands

@Suite("The program")
struct ProgramTests {
    @Test("A verb's results are on standard output, its log on standard error")
    func streams() async throws {
        let normal = try await outcome(of: ["mirror", "-c3"])
        #expect(normal.status == 0)
        #expect(normal.output == "lists trending/movie/week\nsizes w185|w342\nconcurrency 3\n")
        #expect(normal.errors == "posterity: mirrored\n")
        #expect(try await outcome(of: ["mirror", "-q"]).errors == "")
        #expect(try await outcome(of: ["mirror", "--verbose"]).errors.contains("s in detail\n"))
    }

    @Test("A usage error is two lines and status 2")
    func usage() async throws {
        let outcome = try await outcome(of: ["mirror", "--concurency", "3"])
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(
            outcome.errors == """
                posterity mirror: unknown flag --concurency; did you mean --concurrency?
                Try 'posterity mirror --help'.

                """)
    }

    @Test("An error's own exit code is the program's")
    func exitCode() async throws {
        let outcome = try await outcome(of: ["sheet"])
        #expect(outcome.status == 6)
        #expect(outcome.errors == "posterity: error: the cache is full\n")
    }

    @Test("The version is one line")
    func version() async throws {
        #expect(try await outcome(of: ["--version"]).output == "posterity 1.2.3\n")
        #expect(try await outcome(of: ["-V"]).output == "posterity 1.2.3\n")
    }

    @Test("Help asked for in different ways is the same")
    func waysToHelp() async throws {
        let page = try await outcome(of: ["help", "mirror"])
        #expect(page.status == 0 && !page.output.isEmpty)
        #expect(try await outcome(of: ["mirror", "--help"]).output == page.output)
        #expect(try await outcome(of: ["mirror", "-h"]).output == page.output)
        let overview = try await outcome(of: [])
        #expect(overview.status == 0 && !overview.output.isEmpty)
        for line in [["help"], ["--help"], ["-h"]] {
            #expect(try await outcome(of: line).output == overview.output)
        }
        #expect(try await outcome(of: ["help", "mirorr"]).errors.hasPrefix("posterity help: unknown verb mirorr; did you mean mirror?"))
    }
}
