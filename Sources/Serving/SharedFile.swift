internal import Core
internal import Glibc

/// An open file, which any number of answers send from without reading it into memory.
///
/// What was opened is what is sent, also after the file has been renamed over or removed; it must not be shortened meanwhile, which
/// ``isUnchanged`` tells.
package final class SharedFile: Sendable {
    /// Open for as long as this object is kept.
    let descriptor: Int32
    /// Its length in bytes when it was opened.
    package let count: Int

    private let opened: Version

    /// - Throws: `SharedFileError`, whose `number` tells a missing file (ENOENT) from others.
    package init(path: String) throws(SharedFileError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { throw SharedFileError(number: errno, path: path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw SharedFileError(number: EISDIR, path: path)
        }
        self.descriptor = descriptor
        count = Int(status.st_size)
        opened = Version(status)
    }

    /// Whether it still has the length, and was not written to since it was opened.
    package var isUnchanged: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && Version(status) == opened
    }

    /// Whether `path` leads to this very file, unchanged.
    package func isStill(at path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && Version(status) == opened
    }

    /// What a file is, as far as it can be told without reading it.
    private struct Version: Equatable {
        let device: dev_t
        let inode: ino_t
        let size: off_t
        let seconds: Int
        let nanoseconds: Int

        init(_ status: stat) {
            (device, inode, size) = (status.st_dev, status.st_ino, status.st_size)
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }
    }

    deinit {
        close(descriptor)
    }
}

/// Why a file cannot be sent.
package struct SharedFileError: Error, Sendable, CustomStringConvertible {
    /// The system's; EISDIR for everything that is not an ordinary file.
    package let number: Int32
    let path: String

    init(number: Int32, path: String) {
        (self.number, self.path) = (number, path)
    }

    /// For a file that is not as long as it should be.
    package init(wrongLength path: String) {
        self.init(number: EIO, path: path)
    }

    package var description: String { "cannot open \(path.printable): \(number == EISDIR ? "not an ordinary file" : systemText(number))" }
}
