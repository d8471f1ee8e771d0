internal import CLinux
internal import Core
internal import FoundationEssentials
internal import Glibc

/// A folder in the making, beside the one that it will replace. It lives under a ``FolderLock``; dropped before ``replace(_:lock:)``, it
/// leaves nothing behind.
final class StagedFolder {
    private let path: String
    private var madeFolders: Set<String> = []

    init(beside published: PublishedFolder) throws(SiteError) {
        var template = Array("\(published.parent)/\(Self.prefix(for: published.name))XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw .lastSystemError(doing: "make a folder beside", published.shownPath) }
        path = String(cString: made)
        chmod(path, 0o755)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    // MARK: - Filling

    /// - Parameter path: relative; folders are made as needed.
    func write(_ bytes: [UInt8], to path: String) throws(SiteError) {
        let target = try place(path)
        let descriptor = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .lastSystemError(doing: "write", target) }
        defer { close(descriptor) }
        // Whatever the umask says: what is published is there for the web server to read.
        fchmod(descriptor, 0o644)
        var offset = 0
        while offset < bytes.count {
            let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + offset, $0.count - offset) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw .lastSystemError(doing: "write", target) }
            offset += written
        }
    }

    /// Takes a file of the published folder over as it is. False when the file system does not let it.
    func link(_ existing: String, to path: String) throws(SiteError) -> Bool {
        Glibc.link(existing, try place(path)) == 0
    }

    func copySymbolicLink(_ existing: String, to path: String) throws(SiteError) {
        guard let destination = try? FileManager.default.destinationOfSymbolicLink(atPath: existing) else {
            throw .lastSystemError(doing: "read", existing)
        }
        let target = try place(path)
        guard symlink(destination, target) == 0 else { throw .lastSystemError(doing: "write", target) }
    }

    // MARK: - Publishing

    /// Puts this folder in the place of `published`, in one step where the file system can, and removes what stood there.
    ///
    /// - Parameter canExchange: false to do as on a file system that cannot exchange two names.
    func replace(_ published: PublishedFolder, lock: FolderLock, canExchange: Bool = true) throws(SiteError) {
        // On disk before it is public, so that a power cut cannot leave a page with empty pictures.
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .lastSystemError(doing: "open", path) }
        let isSynced = syncfs(descriptor) == 0
        close(descriptor)
        guard isSynced else { throw .lastSystemError(doing: "sync", path) }

        if case .absent = published.content {
            guard rename(path, published.path) == 0 else { throw .lastSystemError(doing: "publish", published.shownPath) }
        } else if !canExchange {
            try replaceInTwoSteps(published)
        } else if renameat2(AT_FDCWD, path, AT_FDCWD, published.path, UInt32(POSTERITY_RENAME_EXCHANGE)) != 0 {
            guard [EINVAL, ENOSYS, EOPNOTSUPP].contains(errno) else { throw .lastSystemError(doing: "replace", published.shownPath) }
            try replaceInTwoSteps(published)
        }
        lock.sync()
    }

    /// Removes what processes that died have left beside `path`, and puts a site back that one of them had moved away and not replaced.
    static func sweep(beside path: String, lock: FolderLock) {
        guard lock.isExclusive, let cut = path.lastIndex(of: "/") else { return }
        let parent = String(path[...cut])
        let prefix = Self.prefix(for: String(path[path.index(after: cut)...]))
        let leftovers = ((try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []).filter { $0.hasPrefix(prefix) }.sorted()
        for name in leftovers {
            if name == prefix + aside, access(path, F_OK) != 0, rename(parent + name, path) == 0 { continue }
            try? FileManager.default.removeItem(atPath: parent + name)
        }
    }

    // MARK: - Private

    /// What the published folder is called while its successor takes its name, where the two cannot be exchanged.
    private static let aside = "aside"

    /// For file systems that cannot exchange two names. A visitor may find nothing for an instant, but never half a site; and
    /// ``sweep(beside:lock:)`` repairs what a crash between the two steps leaves.
    private func replaceInTwoSteps(_ published: PublishedFolder) throws(SiteError) {
        let aside = "\(published.parent)/\(Self.prefix(for: published.name))\(Self.aside)"
        guard rename(published.path, aside) == 0 else { throw .lastSystemError(doing: "replace", published.shownPath) }
        guard rename(path, published.path) == 0 else {
            let failure = SiteError.lastSystemError(doing: "replace", published.shownPath)
            _ = rename(aside, published.path)
            throw failure
        }
        try? FileManager.default.removeItem(atPath: aside)
    }

    /// Short whatever the folder's name, which may itself be as long as names can be.
    private static func prefix(for name: String) -> String { ".posterity-site-\(Digest(of: name.utf8).hex.prefix(12))-" }

    private func place(_ relative: String) throws(SiteError) -> String {
        var folder = path
        for part in relative.split(separator: "/").dropLast() {
            folder += "/" + part
            guard madeFolders.insert(folder).inserted else { continue }
            guard mkdir(folder, 0o755) == 0 || errno == EEXIST else { throw .lastSystemError(doing: "make the folder", folder) }
            chmod(folder, 0o755)
        }
        return path + "/" + relative
    }
}
