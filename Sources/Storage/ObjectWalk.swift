internal import Core
internal import Glibc

/// A file below `objects/`, by its name alone.
struct ObjectFile: Sendable {
    /// `<ab>/<name>`, or the name of a stray file at the top.
    let name: String
    let byteCount: Int
    /// Seconds since 1970 at which its bytes were written.
    let writtenAt: Int
    /// What the name states; nil when it is not an object's name.
    let digest: Digest?

    /// Relative to the cache.
    var path: String { "\(CacheLayout.objects)/\(name)" }
}

extension ObjectStore {
    /// The directories and stray files in `objects/`.
    func topNames() throws(CacheError) -> [String] { try directory.names() }

    /// The files below one of the top names.
    func files(in top: String) throws(CacheError) -> [ObjectFile] {
        guard let status = try directory.status(of: top) else { return [] }
        guard status.st_mode & S_IFMT == S_IFDIR else { return [ObjectFile(name: top, status, digest: nil)] }
        let inner = try Directory(top, in: directory)
        var files: [ObjectFile] = []
        for name in try inner.names() {
            guard let status = try inner.status(of: name) else { continue }
            let isRegular = status.st_mode & S_IFMT == S_IFREG
            let digest = isRegular ? CacheLayout.parse(objectFile: name, in: top)?.digest : nil
            files.append(ObjectFile(name: "\(top)/\(name)", status, digest: digest))
        }
        return files
    }

    /// Digests a file in pieces, so that memory does not grow with it.
    func digest(of name: String) throws(CacheError) -> Digest {
        let path = "\(directory.path)/\(name)"
        let file = try directory.open(name, O_RDONLY | O_NOFOLLOW, doing: "read")
        var hasher = Digest.Hasher()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1_024, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = Glibc.read(file.raw, buffer.baseAddress, buffer.count)
            if count == 0 { return hasher.finalize() }
            if count > 0 {
                hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            } else if errno != EINTR {
                throw CacheError(errno: errno, doing: "read", path: path)
            }
        }
    }
}

extension ObjectFile {
    fileprivate init(name: String, _ status: stat, digest: Digest?) {
        self.init(name: name, byteCount: Int(status.st_size), writtenAt: Int(status.st_mtim.tv_sec), digest: digest)
    }
}
