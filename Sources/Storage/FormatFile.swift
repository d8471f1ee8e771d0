internal import Core
internal import Glibc

/// `posterity.json`: says that a directory is a cache, and in which version of this layout.
struct FormatFile: Codable {
    static let currentVersion = 1

    var format = "posterity-cache"
    var version = FormatFile.currentVersion

    /// Reads the version; nil when the file is not there.
    static func read(in root: borrowing Directory) throws(CacheError) -> FormatFile? {
        guard try root.status(of: CacheLayout.formatFile) != nil else { return nil }
        let path = "\(root.path)/\(CacheLayout.formatFile)"
        let bytes = try root.open(CacheLayout.formatFile, O_RDONLY).readAll(path: path)
        guard let file = try? JSONText.decode(FormatFile.self, from: bytes), file.format == FormatFile().format else {
            throw CacheError(.notACache, doing: "use", path: path, cause: "it does not say what posterity writes there")
        }
        guard file.version <= currentVersion else {
            throw CacheError(
                .newerVersion, doing: "use", path: root.path,
                cause: "its format version is \(file.version), and this program knows \(currentVersion)")
        }
        return file
    }

    /// Makes the cache's directories and this file, unless they are there.
    static func prepare(root: borrowing Directory) throws(CacheError) {
        let isNew = if try read(in: root) == nil { try isUnclaimed(root) } else { false }
        if isNew {
            let name = ".\(CacheLayout.formatFile).\(getpid())-\(UInt32.random(in: 0 ... .max))"
            let bytes = (try? JSONText.encode(FormatFile())) ?? []
            try root.create(name, mode: 0o644, bytes: bytes, durable: true)
            // Linked, not renamed: the first of several processes wins, and the file that locks are taken on stays the same.
            _ = try root.link(name, to: CacheLayout.formatFile, in: root)
            try root.remove(name)
        }
        for directory in CacheLayout.directories { try root.makeDirectory(directory) }
        if isNew { try root.synchronize() }
    }

    /// Whether a directory without this file may become a cache; false when another process has just made it one.
    private static func isUnclaimed(_ root: borrowing Directory) throws(CacheError) -> Bool {
        // Remains of a beginning that was interrupted, and what a new file system has in it, are no one's data.
        let others = try root.names().filter { $0 != "lost+found" && !$0.hasPrefix(".\(CacheLayout.formatFile)") }
        guard let other = others.first else { return true }
        // Its directories may have been seen before the file was.
        guard try read(in: root) != nil else {
            throw CacheError(
                .notACache, doing: "use", path: root.path,
                cause: "it is not empty, and not a cache (it has \(other), but no \(CacheLayout.formatFile))")
        }
        return false
    }
}
