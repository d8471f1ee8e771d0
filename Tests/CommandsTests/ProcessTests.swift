import Glibc
import Testing

@testable import Commands

// One at a time: a child started meanwhile could inherit another's pipes, and keep them open.
@Suite("The process", .serialized)
struct ProcessTests {
    @Test("A signal stops the verb, which tells what is left, and the status tells the signal", arguments: [SIGINT, SIGTERM, SIGHUP])
    func gracefulStop(signal: Int32) throws {
        let child = try ChildProcess(["walk", "--count", "100000"])
        #expect(child.firstLine() == "started")
        child.signal(signal)
        let end = child.wait()
        #expect(end.status == 128 + signal)
        #expect(end.errors.hasSuffix("posterity: warning: stopped early\n"))
    }

    @Test("A verb that does not stop is left behind, with the signal's status")
    func stubborn() throws {
        let child = try ChildProcess(["stay"])
        #expect(child.firstLine() == "started")
        child.signal(SIGTERM)
        #expect(child.wait().status == 143)
    }

    @Test("A second signal ends the process with that signal's status")
    func impatience() throws {
        let child = try ChildProcess(["stay"])
        #expect(child.firstLine() == "started")
        child.signal(SIGTERM)
        child.signal(SIGINT)
        let status = child.wait().status
        // Of two signals pending at once the kernel hands out the lower one first.
        #expect(status == 130 || status == 143)
    }

    @Test("A server that was asked to stop has done its work")
    func server() throws {
        let child = try ChildProcess(["serve"])
        #expect(child.firstLine() == "started")
        child.signal(SIGTERM)
        #expect(child.wait().status == 0)
    }

    @Test("A reader that has had enough ends the program without a word")
    func brokenPipe() throws {
        let child = try ChildProcess(["pour", "--count", "1000000"])
        #expect(child.firstLine() == "line 0")
        child.closeOutput()
        let end = child.wait()
        #expect(end.status == 0)
        #expect(end.errors == "")
    }

    @Test("Standard output on a full disk is a failure in one sentence")
    func fullDisk() throws {
        let stream = popen("\(ChildProcess.command) pour --count 3 2>&1 >/dev/full; echo $?", "r")
        defer { pclose(stream) }
        var bytes: [UInt8] = []
        while case let byte = fgetc(stream), byte >= 0 { bytes.append(UInt8(byte)) }
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "posterity: error: cannot write to standard output: no space left on device\n1\n")
    }

    @Test("Off a terminal nothing is drawn over")
    func plain() throws {
        let child = try ChildProcess(["walk", "--count", "20"], environment: ["TERM=xterm"])
        let end = child.wait()
        #expect(end.status == 0)
        #expect(end.output == "started\narrived\n")
        #expect(end.errors == "posterity: step 10\nposterity: step 20\n")
    }
}
