import Glibc
import StandIn
import TestSupport
import Testing

extension EndToEnd.ServeTests {
    /// Runs `body` with the writing end of a pipe that is full and never read.
    private func withFullPipe<Value>(_ body: (Int32) async throws -> Value) async throws -> Value {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw TestSupportError("no pipe: errno \(errno)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { for end in ends { close(end) } }
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        let filling = [UInt8](repeating: UInt8(ascii: "."), count: 4_096)
        while write(ends[1], filling, filling.count) > 0 {}
        _ = fcntl(ends[1], F_SETFL, 0)
        return try await body(ends[1])
    }

    @Test("A standard error that nobody reads costs log lines, no answer, and not the end")
    func unreadErrors() async throws {
        try await Scene.with(titles: 20) { scene in
            try await withFullPipe { pipe in
                try await beside(scene, descriptors: [2: pipe]) { program, url in
                    try scene.standIn.addFaults("api body=html")
                    for page in 2..<10 { #expect(status(try await curl(url + "/3/movie/popular?page=\(page)")) == 502) }
                    scene.standIn.removeFaults()
                    #expect(status(try await curl(url + "/3/tv/popular")) == 200)
                    program.signal(SIGTERM)
                    #expect(try await program.ending().status == 0)
                }
            }
        }
    }

    @Test("A second signal ends it at once, whether its last words are read or not")
    func secondSignal() async throws {
        try await Scene.with(titles: 2) { scene in
            try await withFullPipe { pipe in
                try await beside(scene, descriptors: [2: pipe]) { program, url in
                    try scene.standIn.addFaults("api delay=120000")
                    async let _ = curl(url + "/3/movie/popular")
                    try await scene.wait { scene.count(of: "api") == 1 }
                    program.signal(SIGTERM)
                    while try await Tool.outcome(of: "curl", ["-s", "--max-time", "5", url + "/healthz"]).status == 0 {}
                    program.signal(SIGTERM)
                    #expect(try await program.ending().status == 128 + SIGTERM)
                }
            }
        }
    }

    @Test("An access log that is a pipe without a reader holds neither the start nor the end up")
    func unreadAccessLog() async throws {
        try await Scene.with(titles: 20) { scene in
            #expect(mkfifo(scene.home + "/log", 0o600) == 0)
            try await beside(scene, ["--access-log-file", "log"]) { program, url in
                #expect(status(try await curl(url + "/3/movie/popular")) == 200)
                program.signal(SIGTERM)
                let ending = try await program.ending()
                #expect(ending.status == 0)
                #expect(ending.errorLines.count { $0.contains("cannot write the access log log") } == 1, "\(ending.errors)")
            }
        }
    }

    @Test("An access log that cannot be opened is refused at the start")
    func badAccessLog() async throws {
        try await Scene.with(titles: 2) { scene in
            for path in ["missing/log", "."] {
                let refused = try await scene.posterity("serve", "--listen", "127.0.0.1:0", "--access-log-file", path)
                #expect(refused.status == 1)
                #expect(refused.errors.contains("cannot write the access log \(path)"), "\(refused.errors)")
            }
        }
    }
}
