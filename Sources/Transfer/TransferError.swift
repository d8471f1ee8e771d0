package import Core

/// Why there is no answer.
///
/// Its description is one sentence that names the host and what is wrong. It holds no query and no header, and so no key.
package struct TransferError: Error, Sendable {
    package enum Code: String, Sendable, CaseIterable {
        /// Not an address that a request can go to.
        case badAddress
        /// Not a path that an address may be built from.
        case badPath
        /// An address that this program does not go to: another scheme, plain HTTP to a distant host, a redirect into a private network.
        case notAllowed
        case nameNotFound
        /// Nobody listens there, or there is no way there.
        case cannotConnect
        /// The connection broke before the answer was complete.
        case connectionLost
        case timedOut
        case tooSlow
        case tlsFailed
        case tooManyRedirects
        /// What came is not HTTP, or is more header than any honest server sends.
        case badResponse
        case tooManyBytes
        /// The answer ended before its announced end.
        case truncated
        /// Not asked, because the host had failed too often shortly before.
        case hostUnavailable
        case cancelled
    }

    package let code: Code
    /// The address without its query; nil if there was none.
    package let address: String?
    /// The sentence for a person.
    package let detail: String

    package init(_ code: Code, address: String? = nil, detail: String) {
        self.code = code
        self.address = address
        self.detail = detail
    }

    /// The code that manifests and scripts know.
    package var reason: Reason {
        switch code {
        case .badAddress, .notAllowed: .notAllowed
        case .badPath: .badPath
        case .nameNotFound: .nameNotFound
        case .cannotConnect: .connectionRefused
        case .connectionLost: .connectionLost
        case .timedOut: .timedOut
        case .tooSlow: .tooSlow
        case .tlsFailed: .tlsFailed
        case .tooManyRedirects: .tooManyRedirects
        case .badResponse: .badResponse
        case .tooManyBytes: .tooManyBytes
        case .truncated: .truncatedTransfer
        case .hostUnavailable: .hostUnavailable
        case .cancelled: .interrupted
        }
    }

    /// Whether the same request may well succeed later.
    ///
    /// A name that is not found counts: a timer that fires as the machine starts is often faster than its resolver.
    package var isTransient: Bool {
        switch code {
        case .nameNotFound, .cannotConnect, .connectionLost, .timedOut, .tooSlow, .truncated: true
        default: false
        }
    }

    package var isCancellation: Bool { code == .cancelled }

    static func cancelled(_ address: WebAddress) -> TransferError {
        TransferError(.cancelled, address: address.description, detail: "the request to \(address.hostAndPort) was cancelled")
    }
}

extension TransferError: CustomStringConvertible {
    package var description: String { detail.printable }
}
