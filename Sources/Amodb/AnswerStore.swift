package import FoundationEssentials

/// Where the last answers are kept between runs.
///
/// The API caches lists at its edge for 30 minutes, so asking sooner brings nothing new and costs one of the few requests a plan allows.
package struct AnswerStore: Sendable {
    package struct Answer: Sendable {
        package let body: [UInt8]
        package let fetchedAt: Date

        package init(body: [UInt8], fetchedAt: Date) {
            self.body = body
            self.fetchedAt = fetchedAt
        }
    }

    /// The last answer that was kept for a URL (which never holds the key).
    package let load: @Sendable (_ url: String) async throws -> Answer?
    package let save: @Sendable (_ url: String, _ answer: Answer) async throws -> Void

    package init(
        load: @escaping @Sendable (_ url: String) async throws -> Answer?,
        save: @escaping @Sendable (_ url: String, _ answer: Answer) async throws -> Void
    ) {
        self.load = load
        self.save = save
    }

    /// Keeps nothing.
    package static let none = AnswerStore(load: { _ in nil }, save: { _, _ in })
}
