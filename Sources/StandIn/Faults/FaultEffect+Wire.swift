internal import Serving

extension FaultEffect {
    /// How `reply` goes out, after the delay.
    func send(_ reply: Reply, isHead: Bool) -> ServerAnswer {
        let answer: ServerAnswer
        if case .ordinary = wire {
            answer = .now(reply.response)
        } else {
            let wire = wire
            answer = .raw { connection in await Self.send(reply, isHead: isHead, by: wire, over: connection) }
        }
        guard delay > .zero else { return answer }
        let delay = delay
        return .later {
            try? await Task.sleep(for: delay)
            return answer
        }
    }

    // MARK: - Private

    private static func send(_ reply: Reply, isHead: Bool, by wire: Wire, over connection: RawConnection) async {
        let body = isHead ? [] : reply.body.bytes
        func head(_ extra: String) -> String {
            var text = "HTTP/1.1 \(reply.status) Fault\r\nConnection: close\r\n"
            for header in reply.headers { text += "\(header.name): \(header.value)\r\n" }
            return text + extra + "\r\n"
        }
        let length = "Content-Length: \(reply.body.count)\r\n"
        switch wire {
        case .ordinary:
            _ = await connection.send(Array(head(length).utf8) + body)
        case .truncated(let share):
            _ = await connection.send(Array(head(length).utf8) + body.prefix(Int(Double(body.count) * share)))
        case .wrongLength(let difference):
            let wrong = "Content-Length: \(max(0, reply.body.count + difference))\r\n"
            _ = await connection.send(Array(head(wrong).utf8) + body)
        case .noLength:
            _ = await connection.send(Array(head("").utf8) + body)
        case .cut(let share):
            let part = body.prefix(Int(Double(body.count) * share))
            // The chunk says that more is to come than does.
            let chunk = "\(String(part.count + 100, radix: 16))\r\n"
            _ = await connection.send(Array((head("Transfer-Encoding: chunked\r\n") + chunk).utf8) + part)
        case .drip(let bytesPerSecond):
            guard await connection.send(head(length)) else { return }
            await drip(body, bytesPerSecond: bytesPerSecond, over: connection)
        case .endless:
            guard await connection.send(head("")) else { return }
            let filler = body.isEmpty ? [UInt8](repeating: 0, count: 65_536) : body
            repeat {} while await connection.send(filler)
        case .headerBomb(let kilobytes):
            guard await connection.send("HTTP/1.1 \(reply.status) Fault\r\nConnection: close\r\n\(length)") else { return }
            for number in 0..<kilobytes {
                guard await connection.send("X-Bomb-\(number): \(String(repeating: "x", count: 1_000))\r\n") else { return }
            }
            _ = await connection.send(Array("\r\n".utf8) + body)
        case .reset:
            connection.resetOnClose()
        }
    }

    /// Ten times a second, or less often when that would be less than a byte.
    private static func drip(_ body: [UInt8], bytesPerSecond: Int, over connection: RawConnection) async {
        let portion = max(1, bytesPerSecond / 10)
        let pause = Duration.milliseconds(1_000 * portion / bytesPerSecond)
        for start in stride(from: 0, to: body.count, by: portion) {
            guard await connection.send(body[start..<min(body.count, start + portion)]) else { return }
            guard (try? await Task.sleep(for: pause)) != nil else { return }
        }
    }
}
