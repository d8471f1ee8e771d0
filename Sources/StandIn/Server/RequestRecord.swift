/// One request that the stand-in has answered.
package struct RequestRecord: Sendable {
    /// From 1, in the order of arrival.
    package let number: Int
    /// `api`, `images` or `control`.
    package let area: String
    package let method: String
    /// Path and query as they came; an `api_key` in it is blotted out.
    package let target: String
    /// What was answered; 0 when the connection was reset.
    package let status: Int
    /// Bytes of the body that was meant to go out.
    package let bytes: Int
    package let hasAuthorization: Bool
    package let isConditional: Bool
    /// The fault rule that spoilt the answer.
    package let fault: String?
}
