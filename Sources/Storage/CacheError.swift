internal import Core
internal import Glibc

/// Trouble with the cache directory: what was being done, to which path, what the system said, and what a person can do about it.
package struct CacheError: Error, Sendable, Equatable {
    package enum Code: String, Sendable {
        /// The disk, a quota or a file-size limit is full.
        case noSpace
        /// A read-only file system or missing permission.
        case notWritable
        /// The cache, a run or an object is not there (any more).
        case notFound
        /// The directory has something else in it.
        case notACache
        /// The cache was written by a newer version of this program.
        case newerVersion
        /// The index or an object is not what was written.
        case damaged
        /// Another process holds what is needed.
        case busy
        /// The process has too many files open.
        case tooManyFiles
        /// `tmp` and `objects` are on different file systems, so that nothing can be renamed from one to the other.
        case otherDevice
        /// Something else is where a file or directory of the cache should be.
        case badPlace
        /// Anything else that the system refused.
        case io
    }

    package let code: Code
    /// What was being done, as in "cannot …".
    package let doing: String
    package let path: String
    /// What the system, SQLite or this program found.
    package let cause: String

    init(_ code: Code, doing: String, path: String, cause: String) {
        self.code = code
        self.doing = doing
        self.path = path
        self.cause = cause
    }

    /// The error for a system call that failed with `number`.
    init(errno number: Int32, doing: String, path: String) {
        let code: Code =
            switch number {
            case ENOSPC, EDQUOT, EFBIG: .noSpace
            case EACCES, EPERM, EROFS: .notWritable
            case ENOENT, ESTALE: .notFound
            case EMFILE, ENFILE: .tooManyFiles
            case EXDEV: .otherDevice
            case ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG, ENOTEMPTY: .badPlace
            default: .io
            }
        self.init(code, doing: doing, path: path, cause: systemText(number))
    }
}

extension CacheError: CustomStringConvertible {
    /// One sentence, with what to do.
    package var description: String {
        let advice =
            switch code {
            case .noSpace: "make room or run `posterity prune`; nothing that was stored is lost"
            case .notWritable: "give this user permission to it, or choose another place with --cache"
            case .notFound: "the cache, or a part of it, is not there; `posterity mirror` makes what is missing"
            case .notACache: "choose another place with --cache; nothing was touched"
            case .newerVersion: "use the newer version of posterity, or another --cache; nothing was touched"
            case .damaged: "run `posterity verify`, and for the index `posterity verify --rebuild-index`"
            case .busy: "wait until the other posterity has ended, and try again"
            case .tooManyFiles: "raise the limit (`ulimit -n`) or lower --concurrency"
            case .otherDevice: "have tmp and objects on one file system"
            case .badPlace: "choose another place with --cache, or move what is in the way"
            case .io: "look into the system's log (`dmesg`) and try again"
            }
        return "cannot \(doing) \(path): \(cause); \(advice)".printable
    }
}
