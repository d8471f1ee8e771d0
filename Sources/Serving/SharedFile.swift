internal import Core
internal import Glibc

/// An open file, which any number of answers send from without reading it into memory.
///
/// What was opened is what is sent, also after the file has been renamed over or removed; it must not be shortened meanwhile.
package final class SharedFile: Sendable {
    /// Open for as long as this object is kept.
    let descriptor: Int32
    /// Its length in bytes when it was opened.
    package let count: Int

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

    package var description: String { "cannot open \(path.printable): \(number == EISDIR ? "not an ordinary file" : systemText(number))" }
}
