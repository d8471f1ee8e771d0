package import Transfer
internal import Core

/// Why a list could not be had.
package struct AmodbError: Error, Sendable {
    package enum Code: Sendable {
        /// No key was given.
        case keyMissing
        /// 401: missing, wrong or suspended.
        case keyRefused
        /// 402: the plan's period is over.
        case planExpired
        /// 429, still after the retries that the API's rules allow.
        case rateLimited
        /// 404: no such list.
        case listNotFound
        /// Another status than 200.
        case refused
        /// 200, but not a page of results.
        case badAnswer
        /// No answer.
        case unreachable
    }

    package let code: Code
    /// One sentence for a person; never holds the key.
    package let detail: String
    /// What the transfer said, when there was no answer.
    package let cause: TransferError?

    package init(_ code: Code, _ detail: String, cause: TransferError? = nil) {
        self.code = code
        self.detail = detail
        self.cause = cause
    }
}

extension AmodbError: CustomStringConvertible {
    package var description: String { detail }
}
