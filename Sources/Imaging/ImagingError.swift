package import Core

/// Why a picture was not let in or could not be made.
package struct ImagingError: Error, Sendable, Hashable {
    package enum Code: Sendable {
        case emptyBody, notAnImage, formatNotAllowed, tooManyPixels, truncatedImage, damagedImage, renderFailed
    }

    package let code: Code
    /// A clause that a person reads: what is wrong with the picture, safe to print.
    package let detail: String

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail.printable
    }

    /// The stable code for manifests and logs.
    package var reason: Reason {
        switch code {
        case .emptyBody: .emptyBody
        case .notAnImage: .notAnImage
        case .formatNotAllowed: .formatNotAllowed
        case .tooManyPixels: .tooManyPixels
        case .truncatedImage: .truncatedImage
        case .damagedImage: .damagedImage
        case .renderFailed: .renderFailed
        }
    }
}

extension ImagingError: CustomStringConvertible {
    package var description: String { detail }
}
