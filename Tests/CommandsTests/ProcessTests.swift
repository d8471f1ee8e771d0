import Glibc
import TestSupport
import Testing

@testable import Commands

@Suite("The process")
struct ProcessTests {
    @Test("A signal stops the verb, which tells what is left, and the status tells the signal", arguments: [SIGINT, SIGTERM, SIGHUP])
    func gracefulStop(signal: Int32) async throws {
        try await withSample(["walk", "--count", "100000"]) { child async throws in
            #expect(try await child.nextLine() == "started")
            child.signal(signal)
            let end = try await child.outcome()
            #expect(end.status == 128 + signal)
            #expect(end.errorText.hasSuffix("posterity: warning: stopped early\n"))
        }
    }

    @Test("A verb that does not stop is left behind, with the signal's status")
    func stubborn() async throws {
        try await withSample(["stay"]) { child async throws in
            #expect(try await child.nextLine() == "started")
            child.signal(SIGTERM)
            let end = try await child.outcome()
            #expect(end.status == 143)
            #expect(end.errorText == "posterity: stopped before it was done; what was kept is sound; run the same command to go on\n")
        }
    }

    @Test("A verb that ends by cancellation says that it was interrupted, once")
    func cancelled() async throws {
        try await withSample(["sleep"]) { child async throws in
            #expect(try await child.nextLine() == "started")
            child.signal(SIGTERM)
            let end = try await child.outcome()
            #expect(end.status == 143)
            #expect(end.errorText == "posterity: error: interrupted\n")
        }
    }

    @Test("A second signal ends the process with that signal's status")
    func impatience() async throws {
        try await withSample(["stay"]) { child async throws in
            #expect(try await child.nextLine() == "started")
            child.signal(SIGTERM)
            child.signal(SIGINT)
            let status = try await child.outcome().status
            // Of two signals pending at once the kernel hands out the lower one first.
            #expect(status == 130 || status == 143)
        }
    }

    @Test("A server that was asked to stop has done its work")
    func server() async throws {
        try await withSample(["serve"]) { child async throws in
            #expect(try await child.nextLine() == "started")
            child.signal(SIGTERM)
            #expect(try await child.outcome().status == 0)
        }
    }

    @Test("A reader that has had enough ends the program without a word")
    func brokenPipe() async throws {
        try await withSample(["pour", "--count", "1000000"]) { child async throws in
            #expect(try await child.nextLine() == "line 0")
            child.closeOutput()
            let end = try await child.outcome()
            #expect(end.status == 0)
            #expect(end.errorText == "")
        }
    }

    @Test("Standard output on a full disk is a failure in one sentence")
    func fullDisk() async throws {
        let end = try await Tool.outcome(of: "sh", ["-c", "exec \"$0\" pour --count 3 >/dev/full", samplePath])
        #expect(end.errorText == "posterity: error: cannot write to standard output: no space left on device\n")
        #expect(end.status == 1)
    }

    @Test("Off a terminal nothing is drawn over")
    func plain() async throws {
        try await withSample(["walk", "--count", "20"], environment: ["TERM": "xterm"]) { child async throws in
            let end = try await child.outcome()
            #expect(end.status == 0)
            #expect(end.text == "started\narrived\n")
            #expect(end.errorText == "posterity: step 10\nposterity: step 20\n")
        }
    }
}
