package import Transfer
internal import Core

/// Why a list, or what there is on a title, could not be had.
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
        /// 404: no such movie or series.
        case titleNotFound
        /// Another status than 200.
        case refused
        /// 200, but not what was asked for.
        case badAnswer
        /// No answer.
        case unreachable
    }

    package let code: Code
    /// One sentence for a person; never holds the key.
    package let detail: String
    /// What the transfer said, when there was no answer.
    package let cause: TransferError?
    /// What was answered instead of 200.
    package let status: Int?

    package init(_ code: Code, _ detail: String, cause: TransferError? = nil, status: Int? = nil) {
        self.code = code
        self.detail = detail
        self.cause = cause
        self.status = status
    }
}

extension AmodbError: CustomStringConvertible {
    package var description: String { detail }
}

extension AmodbError {
    /// Whether it is about the key or its plan, so that every other request would be answered alike.
    package var isAboutKey: Bool {
        switch code {
        case .keyMissing, .keyRefused, .planExpired, .rateLimited: true
        case .listNotFound, .titleNotFound, .refused, .badAnswer, .unreachable: false
        }
    }
}
