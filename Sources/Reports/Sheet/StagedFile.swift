internal import Core
internal import FoundationEssentials
internal import Glibc

/// A file that is written beside its place and put there when it is whole; thrown away otherwise.
///
/// `@unchecked Sendable`: only ``publish()`` changes it, which its maker calls when all else is done.
final class StagedFile: @unchecked Sendable {
    /// Where it will be, as it was given.
    let path: String
    /// Where it is until then.
    let temporaryPath: String
    /// Where `path` leads, if it is a link.
    private let target: String
    private var isPublished = false

    init(for path: String) throws(SheetError) {
        self.path = path
        target = try Self.target(of: path)
        let (directory, name) = Self.split(target)
        guard !name.isEmpty else { throw SheetError(.badOptions, "\"\(path)\" names no file") }
        Self.sweep(directory, name: name)
        temporaryPath = directory + ".\(name).\(UInt32.random(in: 0...UInt32.max)).tmp"
        // With the permissions that any new file gets.
        let descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw SheetError(.cannotWrite, "\(path) cannot be written: \(systemText(errno))") }
        close(descriptor)
    }

    deinit {
        if !isPublished { unlink(temporaryPath) }
    }

    /// The directory that it is in.
    var directory: String {
        let (directory, _) = Self.split(target)
        return directory.isEmpty ? "." : directory
    }

    /// Makes `bytes` the content.
    func write(_ bytes: [UInt8]) throws(SheetError) {
        let file = fopen(temporaryPath, "wbe")
        let isWritten = file.map { fwrite(bytes, 1, bytes.count, $0) == bytes.count } ?? false
        let isClosed = file.map { fclose($0) == 0 } ?? false
        guard isWritten, isClosed else { throw SheetError(.cannotWrite, "\(path) cannot be written: \(systemText(errno))") }
    }

    /// Makes the content durable and puts it in its place at once.
    func publish() throws(SheetError) {
        let descriptor = open(temporaryPath, O_RDONLY | O_CLOEXEC)
        let isSynced = descriptor >= 0 && fsync(descriptor) == 0
        let failure = errno
        if descriptor >= 0 { close(descriptor) }
        guard isSynced else { throw SheetError(.cannotWrite, "\(path) cannot be written: \(systemText(failure))") }
        guard rename(temporaryPath, target) == 0 else {
            throw SheetError(.cannotWrite, "\(path) cannot be put in place: \(systemText(errno))")
        }
        isPublished = true
    }

    // MARK: - Private

    /// What is to be replaced: the file that `path` leads to when it is a link, so that the link stays.
    private static func target(of path: String) throws(SheetError) -> String {
        var status = stat()
        guard lstat(path, &status) == 0 else { return path }
        var target = path
        if status.st_mode & S_IFMT == S_IFLNK {
            guard let resolved = realpath(path, nil) else {
                throw SheetError(.cannotWrite, "\(path) cannot be written: it is a link that leads nowhere")
            }
            defer { free(resolved) }
            target = String(cString: resolved)
            guard lstat(target, &status) == 0 else { return target }
        }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw SheetError(.cannotWrite, "\(path) cannot be written: it is a directory") }
        return target
    }

    /// The directory, with its slash at the end or empty, and the name.
    private static func split(_ path: String) -> (directory: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return ("", path) }
        return (String(path[...slash]), String(path[path.index(after: slash)...]))
    }

    /// Removes what processes that were killed have left of this file: the names that it has while it is written, after a day.
    private static func sweep(_ directory: String, name: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.isEmpty ? "." : directory)) ?? []
        for leftover in names where leftover.hasPrefix(".\(name).") && leftover.hasSuffix(".tmp") {
            guard UInt32(leftover.dropFirst(name.count + 2).dropLast(4)) != nil else { continue }
            var status = stat()
            guard lstat(directory + leftover, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            if status.st_mtim.tv_sec < time(nil) - 86_400 { unlink(directory + leftover) }
        }
    }
}
