internal import CLinux
internal import Glibc

/// One open file or directory, closed when it goes out of scope. Every file is opened close-on-exec.
struct FileDescriptor: ~Copyable, Sendable {
    let raw: Int32

    private init(raw: Int32) {
        self.raw = raw
    }

    /// - Parameters:
    ///   - directory: what a relative `name` is relative to; nil for the working directory.
    ///   - path: what an error shows.
    static func open(
        _ name: String, in directory: Int32? = nil, _ flags: Int32, mode: mode_t = 0, doing: String, path: String
    ) throws(CacheError) -> FileDescriptor {
        while true {
            let raw = openat(directory ?? AT_FDCWD, name, flags | O_CLOEXEC, mode)
            if raw >= 0 { return FileDescriptor(raw: raw) }
            guard errno == EINTR else { throw CacheError(errno: errno, doing: doing, path: path) }
        }
    }

    static func directory(_ name: String, in directory: Int32? = nil, path: String) throws(CacheError) -> FileDescriptor {
        try open(name, in: directory, O_RDONLY | O_DIRECTORY, doing: "open", path: path)
    }

    deinit {
        close(raw)
    }

    func write(_ bytes: UnsafeRawBufferPointer, path: String) throws(CacheError) {
        var written = 0
        while written < bytes.count {
            let count = Glibc.write(raw, bytes.baseAddress! + written, bytes.count - written)
            if count < 0 {
                guard errno == EINTR else { throw CacheError(errno: errno, doing: "write", path: path) }
            } else {
                written += count
            }
        }
    }

    func write(all bytes: [UInt8], path: String) throws(CacheError) {
        // withUnsafeBytes does not carry typed throws through, hence the detour by a Result.
        let result: Result<Void, CacheError> = bytes.withUnsafeBytes { buffer in
            Result { () throws(CacheError) in try write(buffer, path: path) }
        }
        try result.get()
    }

    /// Writes all of this file to `target`.
    func copyAll(to target: borrowing FileDescriptor, path: String) throws(CacheError) {
        while true {
            // In the kernel, and by reference where the file system can.
            let count = copy_file_range(raw, nil, target.raw, nil, 1 << 30, 0)
            if count == 0 { return }
            if count < 0, errno != EINTR { throw CacheError(errno: errno, doing: "write", path: path) }
        }
    }

    /// Everything from the start of the file to its end.
    func readAll(path: String) throws(CacheError) -> [UInt8] {
        let size = Int(try status(path: path).st_size)
        var bytes: [UInt8] = []
        var failure: Int32?
        // One byte more than the size, so that the end is seen without another round.
        var room = size + 1
        repeat {
            let start = bytes.count
            let chunk = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                while true {
                    let got = pread(raw, buffer.baseAddress, room, off_t(start))
                    if got >= 0 {
                        count = got
                        return
                    }
                    if errno != EINTR {
                        failure = errno
                        return
                    }
                }
            }
            if let failure { throw CacheError(errno: failure, doing: "read", path: path) }
            if chunk.isEmpty { break }
            if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
            room = max(1, size + 1 - bytes.count)
        } while true
        return bytes
    }

    func status(path: String) throws(CacheError) -> stat {
        var status = stat()
        guard fstat(raw, &status) == 0 else { throw CacheError(errno: errno, doing: "look at", path: path) }
        return status
    }

    /// Waits until the file, or the directory's names, are on the disk.
    func synchronize(path: String) throws(CacheError) {
        while fsync(raw) != 0 {
            guard errno == EINTR else { throw CacheError(errno: errno, doing: "make durable", path: path) }
        }
    }
}
