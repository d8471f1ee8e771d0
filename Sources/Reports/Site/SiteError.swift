internal import Core
internal import Glibc

/// Why a site was not published. Whatever stood in its folder before still stands there.
package enum SiteError: Error, Sendable, Equatable {
    /// More titles lack a picture than ``SiteOptions/maximumMissing`` allows.
    case tooManyMissing(missing: Int, of: Int, allowed: MissingAllowance)
    /// The run has no titles.
    case noTitles(run: String)
    /// The folder holds something that was not published by this program.
    case notOurs(path: String)
    /// The folder cannot be one that is replaced as a whole, with the reason.
    case badDirectory(path: String, because: String)
    /// A `--layout` or `--base-url` that cannot be used.
    case badOption(String)
    /// A picture is in neither the cache nor the published folder any more, or its bytes are not what its name says.
    case damagedPicture(path: String)
    case sheetFailed(String)
    /// A system call failed.
    case system(doing: String, path: String, errorNumber: Int32)
    case cancelled

    /// Whether the site was held back on purpose because too much is missing, as opposed to having failed.
    package var isWithheld: Bool {
        switch self {
        case .tooManyMissing, .noTitles: true
        default: false
        }
    }

    static func lastSystemError(doing: String, _ path: String) -> SiteError {
        .system(doing: doing, path: path, errorNumber: errno)
    }
}

extension SiteError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooManyMissing(let missing, let total, let allowed):
            "\(missing) of \(total) titles have no picture, and \(allowed) may lack one: nothing published, the site stays as it was. "
                + "Mirror again, or raise --max-missing"
        case .noTitles(let run): "run \(run) has no titles: nothing published, the site stays as it was"
        case .notOurs(let path):
            "\(path) is not empty and was not published by posterity (it has no \(SiteRecord.fileName)): "
                + "choose another folder, or empty this one"
        case .badDirectory(let path, let reason): "\(path) cannot be published to: \(reason)"
        case .badOption(let sentence): sentence
        case .damagedPicture(let path):
            "\(path) is not there any more or is damaged: nothing published. Run `posterity verify --repair`"
        case .sheetFailed(let sentence): "the contact sheet could not be made: \(sentence)"
        case .system(let doing, let path, let number): "cannot \(doing) \(path): \(systemText(number))"
        case .cancelled: "interrupted: nothing published, the site stays as it was"
        }
    }
}
