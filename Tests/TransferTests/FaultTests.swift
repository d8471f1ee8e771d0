import Core
import Synchronization
import TestSupport
import Testing
import Transfer

/// What the client makes of servers that are broken or mean harm.
@Suite("Transfer faults")
struct FaultTests {
    /// Sends `bytes` as the answer to any request, then closes the connection or, if `stays`, leaves it open.
    func failure(
        _ configuration: HTTPClient.Configuration = .init(), sending answer: [UInt8], stays: Bool = false, resets: Bool = false,
        maximumBytes: Int = 1_000_000, deadline: Duration = .seconds(30), accepts: Bool = false
    ) async throws -> TransferError? {
        try await ScriptedServer.withServer(connection: { connection in
            _ = connection.readRequest()
            connection.send(answer)
            if stays { connection.waitForClose() }
            if resets { connection.reset() }
        }) { server in
            try await HTTPClient.withClient(configuration, log: .silent) { client in
                var asked = try request(server.url, maximumBytes: maximumBytes, deadline: deadline)
                asked.acceptsCompression = accepts
                do throws(TransferError) {
                    _ = try await client.send(asked)
                    return nil
                } catch {
                    // Whatever it is, it must say where.
                    #expect(error.description.contains("127.0.0.1:\(server.port)"), "\(error)")
                    return error
                }
            }
        }
    }

    func failure(sending text: String, resets: Bool = false) async throws -> TransferError? {
        try await failure(sending: Array(text.utf8), resets: resets)
    }

    @Test("A body shorter than its announced length is truncated")
    func tooShort() async throws {
        #expect(try await failure(sending: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf").map(\.code) == .truncated)
    }

    @Test("A chunked body that is cut is truncated, even between two chunks")
    func chunkedAndCut() async throws {
        let start = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        #expect(try await failure(sending: start + "5\r\nhel").map(\.code) == .truncated)
        #expect(try await failure(sending: start + "5\r\nhello\r\n").map(\.code) == .truncated)
        #expect(try await failure(sending: start + "5\r\nhello\r\n0\r\n\r\n") == nil)
    }

    @Test("A connection that is reset or closed before an answer is lost, and that is transient")
    func lost() async throws {
        let reset = try await failure(sending: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", resets: true)
        #expect([.connectionLost, .truncated].contains(reset?.code))
        #expect(reset?.isTransient == true)
        let closed = try await failure(sending: "")
        #expect(closed?.code == .connectionLost)
        #expect(closed?.isTransient == true)
    }

    @Test("What follows a body beyond its announced length is never taken for the next answer")
    func tooLong() async throws {
        let count = Atomic(0)
        try await withClient(answer: { _, connection in
            let number = count.add(1, ordering: .relaxed).newValue
            return connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n0\(number)HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
        }) { client, server in
            for number in 1...5 {
                let response = try await client.send(request(server.url))
                #expect(String(decoding: response.body, as: UTF8.self) == "0\(number)")
            }
        }
    }

    @Test(
        "Bytes that are not HTTP are a bad response",
        arguments: ["hello\r\n\r\n", "<html></html>", "HTTP/1.1 abc\r\n\r\n", "SSH-2.0-x\r\n"])
    func notHTTP(text: String) async throws {
        let error = try await failure(sending: text)
        #expect(error?.code == .badResponse)
        #expect(error?.isTransient == false)
    }

    @Test("Header fields without end are refused", arguments: ["many", "long", "interim"])
    func headerBomb(kind: String) async throws {
        let fields =
            switch kind {
            case "many": "HTTP/1.1 200 OK\r\n" + String(repeating: "X-Bomb: 0123456789\r\n", count: 50_000)
            case "long": "HTTP/1.1 200 OK\r\nX-Bomb: " + String(repeating: "x", count: 1_000_000)
            default: String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", count: 50_000)
            }
        #expect(try await failure(sending: fields).map(\.code) == .badResponse)
    }

    @Test("An endless body is cut off at the limit, and so is one that announces too much")
    func tooManyBytes() async throws {
        let endless = "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 300_000)
        #expect(try await failure(sending: Array(endless.utf8), stays: true, maximumBytes: 100_000).map(\.code) == .tooManyBytes)
        let announced = "HTTP/1.1 200 OK\r\nContent-Length: 5000000000\r\n\r\n"
        #expect(try await failure(sending: Array(announced.utf8), stays: true).map(\.code) == .tooManyBytes)
    }

    @Test("A compressed body is unpacked only where that is asked for, and a gzip bomb goes off at the limit")
    func compression() async throws {
        let bomb = try await gzip(count: 5_000_000)
        let answer = Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n".utf8) + bomb
        #expect(bomb.count < 10_000)
        #expect(try await failure(sending: answer, accepts: true).map(\.code) == .tooManyBytes)
        try await withClient(answer: { _, connection in connection.send(answer) }) { client, server in
            #expect(try await client.send(request(server.url)).body == bomb)
            var asked = try request(server.url, maximumBytes: 5_000_000)
            asked.acceptsCompression = true
            #expect(try await client.send(asked).body == [UInt8](repeating: 0, count: 5_000_000))
            #expect(server.requests.map { $0.header("Accept-Encoding") } == [nil, "gzip, br"])
        }
        let damaged = Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 9\r\n\r\nnot gzip!".utf8)
        #expect(try await failure(sending: damaged, accepts: true).map(\.code) == .badResponse)
    }

    @Test("A server that accepts and says nothing is given up at the deadline, and a dripping one for its slowness")
    func slow() async throws {
        let hanging = try await failure(sending: [], stays: true, deadline: .milliseconds(300))
        #expect(hanging?.code == .timedOut)
        #expect(hanging?.isTransient == true)
        var configuration = HTTPClient.Configuration()
        configuration.lowSpeed = (1_000, .seconds(1))
        let dripping = Array("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\ndrip".utf8)
        let error = try await failure(configuration, sending: dripping, stays: true)
        #expect(error?.code == .tooSlow)
        #expect(error?.description.hasSuffix("sent less than 1.0 kB per second for 1 s") == true)
    }

    @Test("A request that waits for a connection keeps its deadline")
    func deadlineInQueue() async throws {
        var configuration = HTTPClient.Configuration()
        configuration.connectionsPerHost = 1
        let (asked, hasAsked) = AsyncStream<Void>.makeStream()
        try await withClient(
            configuration,
            answer: { _, connection in
                hasAsked.yield()
                connection.waitForClose()
                return false
            }
        ) { client, server in
            let url = server.url
            let first = Task { try await client.send(request(url)) }
            for await _ in asked { break }
            let error = await #expect(throws: TransferError.self) { try await client.send(request(url, deadline: .milliseconds(100))) }
            #expect(error?.code == .timedOut)
            first.cancel()
            await #expect(throws: TransferError.self) { try await first.value }
            #expect(server.requests.count == 1)
        }
    }

    @Test("A host where nobody listens is named with the reason")
    func refused() async throws {
        let port = try await ScriptedServer.withServer(connection: { _ in }) { $0.port }
        try await HTTPClient.withClient(log: .silent) { client in
            let error = await #expect(throws: TransferError.self) {
                try await client.send(request("http://127.0.0.1:\(port)/a?api_key=secret"))
            }
            #expect(error?.description == "cannot connect to 127.0.0.1:\(port): connection refused")
            #expect(error?.reason == .connectionRefused)
            #expect(error?.address == "http://127.0.0.1:\(port)/a")
        }
    }

    @Test("A name that does not resolve is named")
    func unknownName() async throws {
        try await HTTPClient.withClient(log: .silent) { client in
            let error = await #expect(throws: TransferError.self) {
                try await client.send(request("https://nowhere.invalid/", deadline: .seconds(60)))
            }
            #expect(error?.code == .nameNotFound)
            #expect(error?.description == "cannot find the host nowhere.invalid: its name does not resolve")
        }
    }

    @Test("Plain HTTP goes to this machine only")
    func plainHTTP() async throws {
        try await HTTPClient.withClient(log: .silent) { client in
            let error = await #expect(throws: TransferError.self) { try await client.send(request("http://img.example.org/x")) }
            #expect(error?.code == .notAllowed)
        }
    }

    @Test("206 and 304 unasked are answers like others")
    func unaskedStatuses() async throws {
        try await withClient(answer: { request, connection in
            request.path == "/206"
                ? connection.send(status: "206 Partial Content", body: [1, 2]) : connection.send("HTTP/1.1 304 Not Modified\r\n\r\n")
        }) { client, server in
            for status in [206, 304] {
                let response = try await client.send(request(server.url + "/\(status)"))
                #expect(response.status == status)
            }
        }
    }

    /// `count` zeros, by the gzip command.
    private func gzip(count: Int) async throws -> [UInt8] {
        try await Tool.run("/bin/sh", ["-c", "head -c \(count) /dev/zero | gzip -9"])
    }
}
