import Core
import FoundationEssentials
import Glibc
import TestSupport

/// `posterity serve`, as a stranger finds it.
struct RunningGateway: Sendable {
    let tool: RunningTool
    let port: Int

    /// What comes back for `bytes` until the connection ends, or nothing has come for a while.
    func exchange(_ bytes: [UInt8]) async throws -> [UInt8] {
        let port = port
        return try await onDedicatedThread {
            let socket = try RawSocket(port: port)
            _ = socket.send(bytes)
            return socket.readAll()
        }
    }

    /// Adds a problem unless an honest client gets its answer.
    func expectService(_ finding: inout Finding) async throws {
        let answer = try await exchange(Array("GET /3/movie/popular HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8))
        let line = String(decoding: answer.prefix(12), as: UTF8.self)
        finding.expect(line == "HTTP/1.1 200", "an honest client gets “\(line)”")
    }

    /// Asks it to stop, and waits for its end.
    func stopped() async throws -> ProgramRun.Ending {
        tool.signal(SIGTERM)
        return try await ProgramRun.ending(of: tool)
    }

    var residentMegabytes: Int {
        guard let data = try? Data(contentsOf: URL(filePath: "/proc/\(tool.pid)/statm")) else { return 0 }
        let fields = String(decoding: data, as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4 / 1_000 : 0
    }
}

private struct Addresses: Decodable {
    let listen: [String]
}

extension Scene {
    /// Runs `body` beside `posterity serve`.
    func withGateway<Value>(_ arguments: [String] = [], _ body: (RunningGateway) async throws -> Value) async throws -> Value {
        let words = ["serve", "--listen", "127.0.0.1:0", "--json", "--client-limit", "0"] + arguments
        return try await ProgramRun.with(bench.program, words, environment: environment, in: home) { tool in
            guard let line = try await tool.nextLine(), let addresses = try? JSONText.decode(Addresses.self, from: Array(line.utf8)),
                let port = addresses.listen.first?.split(separator: ":").last.flatMap({ Int($0) })
            else { throw TestSupportError("the gateway did not start: \(try await tool.outcome().errorText)") }
            return try await body(RunningGateway(tool: tool, port: port))
        }
    }
}

/// A client's socket, for what no honest client sends. Its calls block, for a while at most.
final class RawSocket: Sendable {
    private let descriptor: Int32

    /// - Parameter receiveBuffer: bytes that the system takes for it; nil for the usual.
    init(port: Int, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw TestSupportError("no socket: errno \(errno)") }
        if var receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, 4) }
        var patience = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        guard connected == 0 else {
            let failure = errno
            close(descriptor)
            throw TestSupportError("cannot connect: errno \(failure)")
        }
    }

    deinit { close(descriptor) }

    /// Sends all of it, or as much as is taken.
    ///
    /// - Returns: false when the server has ended the connection, or takes no more.
    func send(_ bytes: [UInt8], waits: Bool = true) -> Bool {
        var sent = 0
        let flags = Int32(MSG_NOSIGNAL) | (waits ? 0 : Int32(MSG_DONTWAIT))
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress! + sent, $0.count - sent, flags) }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Everything until the connection ends, or nothing comes any more.
    func readAll() -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
        }
    }

    /// Whether the server has ended the connection.
    var hasEnded: Bool {
        var byte: UInt8 = 0
        var count = recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT))
        while count > 0 { count = recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) }
        return count == 0 || errno != EAGAIN
    }
}
