internal import CLinux
internal import Glibc

/// An open directory of the cache, and what can be done with the names in it.
///
/// Names are resolved from the open descriptor, never from a path: a cache that is deleted (and perhaps made anew) while in use is an
/// error, and never a mixture of two caches.
struct Directory: ~Copyable, Sendable {
    let path: String
    private let descriptor: FileDescriptor

    init(_ path: String) throws(CacheError) {
        descriptor = try .directory(path, path: path)
        self.path = path
    }

    init(_ name: String, in parent: borrowing Directory) throws(CacheError) {
        path = "\(parent.path)/\(name)"
        descriptor = try .directory(name, in: parent.descriptor.raw, path: path)
    }

    var raw: Int32 { descriptor.raw }

    func status() throws(CacheError) -> stat { try descriptor.status(path: path) }

    /// Size, times and kind of `name`; nil when it is not there.
    func status(of name: String) throws(CacheError) -> stat? {
        var status = stat()
        if fstatat(raw, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return status }
        guard errno == ENOENT || errno == ENOTDIR else {
            throw CacheError(errno: errno, doing: "look at", path: "\(path)/\(name)")
        }
        return nil
    }

    /// Whether `name` is a regular file of `size` bytes.
    func has(_ name: UnsafePointer<CChar>, size: Int) -> Bool {
        var status = stat()
        return fstatat(raw, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT == S_IFREG && Int(status.st_size) == size
    }

    /// Whether there is anything called `name`.
    func exists(_ name: String) -> Bool { faccessat(raw, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0 }

    /// Makes the directory `name` unless it is there.
    func makeDirectory(_ name: String) throws(CacheError) {
        guard mkdirat(raw, name, 0o755) == 0 || errno == EEXIST else {
            throw CacheError(errno: errno, doing: "make the directory", path: "\(path)/\(name)")
        }
    }

    func open(_ name: String, _ flags: Int32, mode: mode_t = 0, doing: String = "open") throws(CacheError) -> FileDescriptor {
        try .open(name, in: raw, flags, mode: mode, doing: doing, path: "\(path)/\(name)")
    }

    /// Makes the new file `name` with `bytes` in it; leaves nothing behind when it cannot.
    func create(_ name: String, mode: mode_t, bytes: [UInt8], durable: Bool) throws(CacheError) {
        try create(name, mode: mode, durable: durable) { file, path throws(CacheError) in try file.write(all: bytes, path: path) }
    }

    /// Makes the new file `name` and lets `fill` write it; leaves nothing behind when it cannot.
    func create(
        _ name: String, mode: mode_t, durable: Bool,
        _ fill: (_ file: borrowing FileDescriptor, _ path: String) throws(CacheError) -> Void
    ) throws(CacheError) {
        let file = try open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode, doing: "write")
        do throws(CacheError) {
            let path = "\(path)/\(name)"
            try fill(file, path)
            if durable { try file.synchronize(path: path) }
        } catch {
            unlinkat(raw, name, 0)
            throw error
        }
    }

    /// Renames `name` here to `newName` in `other`, replacing what may be there.
    func rename(_ name: String, to newName: String, in other: borrowing Directory) throws(CacheError) {
        guard renameat(raw, name, other.raw, newName) == 0 else {
            throw CacheError(errno: errno, doing: "rename \(path)/\(name) to", path: "\(other.path)/\(newName)")
        }
    }

    /// Gives `name` a second name in `other`; false when that name is taken.
    func link(_ name: String, to newName: String, in other: borrowing Directory) throws(CacheError) -> Bool {
        if linkat(raw, name, other.raw, newName, 0) == 0 { return true }
        guard errno == EEXIST else {
            throw CacheError(errno: errno, doing: "link \(path)/\(name) to", path: "\(other.path)/\(newName)")
        }
        return false
    }

    /// Removes the file `name`; that it is gone already is no error.
    func remove(_ name: String) throws(CacheError) {
        guard unlinkat(raw, name, 0) == 0 || errno == ENOENT else {
            throw CacheError(errno: errno, doing: "remove", path: "\(path)/\(name)")
        }
    }

    /// Removes the empty directory `name`; false when it was not empty.
    @discardableResult
    func removeDirectory(_ name: String) throws(CacheError) -> Bool {
        if unlinkat(raw, name, AT_REMOVEDIR) == 0 || errno == ENOENT { return true }
        guard errno == ENOTEMPTY || errno == EEXIST else {
            throw CacheError(errno: errno, doing: "remove", path: "\(path)/\(name)")
        }
        return false
    }

    /// The names in it, sorted, without `.` and `..`.
    func names() throws(CacheError) -> [String] {
        let copy = openat(raw, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else { throw CacheError(errno: errno, doing: "list", path: path) }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw CacheError(errno: errno, doing: "list", path: path) }
                return names.sorted()
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
    }

    /// Waits until its names are on the disk.
    func synchronize() throws(CacheError) { try descriptor.synchronize(path: path) }

    /// Waits until everything written to its file system so far, data and names, is on the disk.
    func synchronizeFileSystem() throws(CacheError) {
        while syncfs(raw) != 0 {
            guard errno == EINTR else { throw CacheError(errno: errno, doing: "make durable", path: path) }
        }
    }
}
