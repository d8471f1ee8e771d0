import Core
import Testing

@Suite("What worker threads hold on to")
struct WorkerThreadsReleaseTests {
    private final class Held: Sendable {}

    @Test("What a job holds is released when the job is done, while the threads live on")
    func release() async {
        await WorkerThreads.withThreads(1, named: "test") { threads in
            weak var weakly: Held?
            do {
                let held = Held()
                weakly = held
                await threads.run { withExtendedLifetime(held) {} }
            }
            // The thread lets go of the first job when it takes the second, at the latest.
            await threads.run {}
            await threads.run {}
            #expect(weakly == nil)
        }
    }
}
