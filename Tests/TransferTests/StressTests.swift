import Core
import Synchronization
import TestSupport
import Testing
import Transfer

@Suite("Transfer under stress")
struct StressTests {
    @Test("Two thousand small transfers, some cancelled at random moments, all end, and leave nothing behind")
    func randomCancels() async throws {
        try await withClient(answer: { _, connection in connection.send(body: [UInt8](repeating: 1, count: 3_000)) }) { client, server in
            let url = server.url
            let done = Atomic(0)
            let cancelled = Atomic(0)
            let toldToCancel = Atomic(0)
            try await forEachBounded(0..<2_000, limit: 50) { number in
                let task = Task { try await client.send(request(url)) }
                if Int.random(in: 0..<4) == 0 {
                    toldToCancel.add(1, ordering: .relaxed)
                    for _ in 0..<Int.random(in: 0..<40) { await Task.yield() }
                    task.cancel()
                }
                do {
                    let response = try await task.value
                    #expect(response.body.count == 3_000)
                    done.add(1, ordering: .relaxed)
                } catch let error as TransferError {
                    #expect(error.isCancellation, "\(error)")
                    cancelled.add(1, ordering: .relaxed)
                }
            }
            #expect(done.load(ordering: .relaxed) + cancelled.load(ordering: .relaxed) == 2_000)
            #expect(cancelled.load(ordering: .relaxed) <= toldToCancel.load(ordering: .relaxed))
            #expect(server.mostConnectionsAtOnce <= 6 + 50)
            // The client is as good as new.
            let response = try await client.send(request(url))
            #expect(response.status == 200)
        }
    }

    @Test("A client that is closed in the middle ends what is under way as cancelled")
    func closing() async throws {
        try await ScriptedServer.withServer(connection: { $0.waitForClose() }) { server in
            let url = server.url
            let tasks = try await HTTPClient.withClient(log: .silent) { client in
                let tasks = (0..<20).map { _ in Task { try await client.send(request(url)) } }
                await Task.yield()
                return tasks
            }
            for task in tasks {
                let error = await #expect(throws: TransferError.self) { try await task.value }
                #expect(error?.isCancellation == true)
            }
        }
    }
}
