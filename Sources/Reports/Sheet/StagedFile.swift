internal import Glibc

/// A file that is written beside its place and put there when it is whole; thrown away otherwise.
///
/// `@unchecked Sendable`: only ``publish()`` changes it, which its maker calls when all else is done.
final class StagedFile: @unchecked Sendable {
    /// Where it will be.
    let path: String
    /// Where it is until then.
    let temporaryPath: String
    private var isPublished = false

    init(for path: String) throws(SheetError) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let name = parts.last, !name.isEmpty else { throw SheetError(.badOptions, "“\(path)” names no file") }
        self.path = path
        temporaryPath = (parts.dropLast() + [".\(name).\(UInt32.random(in: 0...UInt32.max)).tmp"]).joined(separator: "/")
        // With the permissions that any new file gets.
        let descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw SheetError(.cannotWrite, "\(path) cannot be written: \(String(cString: strerror(errno)))") }
        close(descriptor)
    }

    deinit {
        if !isPublished { unlink(temporaryPath) }
    }

    /// The directory that it is in.
    var directory: String {
        let parent = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return parent.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : parent
    }

    /// Makes `bytes` the content.
    func write(_ bytes: [UInt8]) throws(SheetError) {
        let file = fopen(temporaryPath, "wbe")
        let isWritten = file.map { fwrite(bytes, 1, bytes.count, $0) == bytes.count } ?? false
        let isClosed = file.map { fclose($0) == 0 } ?? false
        guard isWritten, isClosed else {
            throw SheetError(.cannotWrite, "\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
    }

    /// Makes the content durable and puts it in its place at once.
    func publish() throws(SheetError) {
        let descriptor = open(temporaryPath, O_RDONLY | O_CLOEXEC)
        let isSynced = descriptor >= 0 && fsync(descriptor) == 0
        let failure = errno
        if descriptor >= 0 { close(descriptor) }
        guard isSynced else { throw SheetError(.cannotWrite, "\(path) cannot be written: \(String(cString: strerror(failure)))") }
        guard rename(temporaryPath, path) == 0 else {
            throw SheetError(.cannotWrite, "\(path) cannot be put in place: \(String(cString: strerror(errno)))")
        }
        isPublished = true
    }
}
