/// Runs `body` for every element, at most `limit` at once, and returns when all are done.
///
/// - Parameters:
///   - limit: at least 1. Elements are started in order; one starts as soon as another ends.
/// - Throws: the first error that `body` throws; the others are cancelled and waited for. `CancellationError` when the task itself is cancelled.
package func forEachBounded<Element: Sendable>(
    _ elements: some Sequence<Element>, limit: Int, _ body: @escaping @Sendable (Element) async throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        var running = 0
        for element in elements {
            if running >= max(1, limit) {
                try await group.next()
                running -= 1
            }
            try Task.checkCancellation()
            group.addTask { try await body(element) }
            running += 1
        }
        try await group.waitForAll()
    }
}
