internal import Glibc

/// A thread for something that blocks. Swift's cooperative pool has no more threads than the machine has cores: what blocks there
/// holds up every other test.
struct DedicatedThread {
    private let thread: pthread_t

    init(_ body: @escaping @Sendable () -> Void) {
        final class Box: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var thread = pthread_t()
        // Released by the thread itself, the first thing it does.
        let context = Unmanaged.passRetained(Box(body))
        let failure = pthread_create(
            &thread, nil,
            { argument in
                Unmanaged<Box>.fromOpaque(argument!).takeRetainedValue().body()
                return nil
            }, context.toOpaque())
        precondition(failure == 0, "cannot start a thread")
        self.thread = thread
    }

    /// Waits for its end; blocks. Either this or ``detach()``, once.
    func join() { pthread_join(thread, nil) }

    func detach() { pthread_detach(thread) }
}

/// Runs `body`, which may block, on a thread of its own.
package func onDedicatedThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DedicatedThread { continuation.resume(with: Result { try body() }) }.detach()
    }
}
