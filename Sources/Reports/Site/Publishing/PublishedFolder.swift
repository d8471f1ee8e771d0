internal import Core
internal import FoundationEssentials
internal import Glibc

/// The folder that a site is published to, as it stands now.
struct PublishedFolder: Sendable {
    /// What is there.
    enum Content: Sendable {
        case absent
        case empty
        /// A site of ours, with its record and when that was written.
        case site(SiteRecord, recordedAt: timespec)
    }

    /// Absolute, without symbolic links.
    let path: String
    /// As it was given, for people.
    let shownPath: String
    let content: Content

    var parent: String {
        let cut = path.lastIndex(of: "/") ?? path.startIndex
        return cut == path.startIndex ? "/" : String(path[..<cut])
    }
    var name: String { String(path[path.index(after: path.lastIndex(of: "/") ?? path.startIndex)...]) }

    /// Where `directory` really is. Folders above it are made as needed.
    ///
    /// - Parameter cacheRoot: where it must not be, nor the cache in it: each would be swept away or published with the other.
    static func resolve(_ directory: String, apartFrom cacheRoot: String) throws(SiteError) -> String {
        guard let cache = try? realPath(of: cacheRoot) else { return try resolve(directory) }
        // Before any folder is made.
        let place = nearestFolder(to: directory)
        guard place != cache, !place.hasPrefix(cache + "/") else {
            throw .badDirectory(path: directory, because: "it is inside the cache directory")
        }
        let resolved = try resolve(directory)
        guard !cache.hasPrefix(resolved + "/") else { throw .badDirectory(path: directory, because: "the cache directory is inside it") }
        return resolved
    }

    private static func resolve(_ directory: String) throws(SiteError) -> String {
        var given = directory
        while given.count > 1, given.hasSuffix("/") { given.removeLast() }
        guard !given.isEmpty else { throw .badDirectory(path: "\"\"", because: "a folder needs a name") }
        var status = stat()
        let resolved: String
        if lstat(given, &status) == 0 {
            resolved = try realPath(of: given)
            guard stat(resolved, &status) == 0 else { throw .lastSystemError(doing: "read", resolved) }
            guard status.st_mode & S_IFMT == S_IFDIR else { throw .badDirectory(path: directory, because: "it is not a folder") }
        } else {
            let cut = given.lastIndex(of: "/")
            let parent = cut.map { $0 == given.startIndex ? "/" : String(given[..<$0]) } ?? "."
            try makeDirectories(parent)
            resolved = try realPath(of: parent) + "/" + (cut.map { String(given[given.index(after: $0)...]) } ?? given)
        }
        guard resolved != "/" else { throw .badDirectory(path: directory, because: "the whole file system is not to be replaced") }
        return resolved.hasPrefix("//") ? String(resolved.dropFirst()) : resolved
    }

    /// - Parameters:
    ///   - path: from ``resolve(_:apartFrom:)``.
    ///   - shownPath: what messages call it.
    /// - Throws: ``SiteError/notOurs(path:)`` when something is there that this program did not publish.
    init(at path: String, calling shownPath: String) throws(SiteError) {
        self.path = path
        self.shownPath = shownPath
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw .lastSystemError(doing: "read", shownPath) }
            content = .absent
            return
        }
        let recordPath = path + "/" + SiteRecord.fileName
        if let bytes = FileManager.default.contents(atPath: recordPath), lstat(recordPath, &status) == 0 {
            guard let record = try? JSONText.decode(SiteRecord.self, from: bytes), record.version <= SiteRecord.currentVersion else {
                throw .badDirectory(path: shownPath, because: "its \(SiteRecord.fileName) is damaged or was written by a newer posterity")
            }
            content = .site(record, recordedAt: status.st_mtim)
        } else {
            guard let entries = try? FileManager.default.contentsOfDirectory(atPath: path) else {
                throw .lastSystemError(doing: "read", shownPath)
            }
            guard entries.isEmpty else { throw .notOurs(path: shownPath) }
            content = .empty
        }
    }

    var record: SiteRecord? {
        if case .site(let record, _) = content { record } else { nil }
    }

    /// Whether the file that the record calls `path` is there and has not been written to since it was published.
    func isIntact(_ path: String) -> Bool {
        guard case .site(let record, let recordedAt) = content, let entry = record.files[path] else { return false }
        var status = stat()
        guard lstat(self.path + "/" + path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == entry.bytes else {
            return false
        }
        return (status.st_mtim.tv_sec, status.st_mtim.tv_nsec) <= (recordedAt.tv_sec, recordedAt.tv_nsec)
    }

    /// Whether that is so of all that the record names.
    var isWholeAndIntact: Bool { record?.files.keys.allSatisfy(isIntact) ?? false }

    // MARK: - Private

    /// The deepest folder of `directory` that is there, without symbolic links.
    private static func nearestFolder(to directory: String) -> String {
        var place = directory
        while true {
            if let resolved = realpath(place.isEmpty ? "." : place, nil) {
                defer { free(resolved) }
                return String(cString: resolved)
            }
            while place.hasSuffix("/") { place.removeLast() }
            guard let slash = place.lastIndex(of: "/") else {
                if place.isEmpty { return "/" }
                place = ""
                continue
            }
            place = slash == place.startIndex ? "/" : String(place[..<slash])
        }
    }

    private static func realPath(of path: String) throws(SiteError) -> String {
        guard let resolved = realpath(path, nil) else {
            if errno == ENOENT { throw .badDirectory(path: path, because: "it is a link that leads nowhere") }
            throw .lastSystemError(doing: "resolve", path)
        }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func makeDirectories(_ path: String) throws(SiteError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw .lastSystemError(doing: "make the folder", path)
        }
    }
}
