internal import Core
internal import Glibc

/// An object's bytes, written to the session's directory and waiting for their name.
struct StagedObject: Sendable {
    let temporaryName: String
    /// `<ab>/<digest>.<ext>`.
    let objectName: String
}

/// `objects/`: staging new bytes, giving them their names, reading them back.
final class ObjectStore: Sendable {
    let directory: Directory
    /// Nil when the cache is open for reading only.
    private let session: Session?

    init(root: borrowing Directory, session: Session?) throws(CacheError) {
        directory = try Directory(CacheLayout.objects, in: root)
        self.session = session
        if let session {
            guard try directory.status().st_dev == session.directory.status().st_dev else {
                throw CacheError(
                    .otherDevice, doing: "store pictures in", path: directory.path, cause: "tmp is on another file system than objects")
            }
        }
    }

    /// Whether the object is there with the size that it should have.
    func has(_ picture: StoredPicture) -> Bool {
        picture.path.withCString { directory.has($0 + CacheLayout.objects.utf8.count + 1, size: picture.byteCount) }
    }

    /// The object's bytes, held against its digest.
    func read(_ picture: StoredPicture) throws(CacheError) -> [UInt8] {
        let name = String(picture.path.dropFirst(CacheLayout.objects.utf8.count + 1))
        let file = try directory.open(name, O_RDONLY | O_NOFOLLOW, doing: "read")
        let bytes = try file.readAll(path: "\(directory.path)/\(name)")
        guard Digest(of: bytes) == picture.digest else {
            throw CacheError(
                .damaged, doing: "use", path: "\(directory.path)/\(name)", cause: "its bytes do not have the digest that its name states")
        }
        return bytes
    }

    /// Whether the object's bytes have its digest still; false as well when it is gone.
    func isIntact(_ picture: StoredPicture) throws(CacheError) -> Bool {
        let name = String(picture.path.dropFirst(CacheLayout.objects.utf8.count + 1))
        do throws(CacheError) {
            return try digest(of: name) == picture.digest
        } catch {
            if error.code == .notFound { return false }
            throw error
        }
    }

    /// Writes `picture` to the session's directory, unless the object is there already, whole and undamaged.
    func stage(_ picture: NewPicture) throws(CacheError) -> (StoredPicture, StagedObject?) {
        guard let session else { throw Self.readOnly(directory.path) }
        precondition(CacheLayout.isExtension(picture.fileExtension), "an extension of a few lower-case letters or digits")
        let digest = Digest(of: picture.bytes)
        let objectName = CacheLayout.objectName(of: digest, extension: picture.fileExtension)
        let stored = StoredPicture(
            digest: digest, path: "\(CacheLayout.objects)/\(objectName)", byteCount: picture.bytes.count,
            widthPixels: picture.widthPixels, heightPixels: picture.heightPixels, mediaType: picture.mediaType)
        // Whoever brings these bytes may do so because the object's have gone bad, so its size alone is not trusted.
        if directory.has(objectName, size: picture.bytes.count), (try? self.digest(of: objectName)) == digest { return (stored, nil) }
        let temporaryName = session.newName()
        try session.directory.create(temporaryName, mode: 0o444, bytes: picture.bytes, durable: false)
        return (stored, StagedObject(temporaryName: temporaryName, objectName: objectName))
    }

    /// Makes staged objects durable under their names: first the bytes, then the names.
    ///
    /// Called even when all objects were there already: another process may have named them without having made the names durable yet.
    func publish(_ staged: [StagedObject]) throws(CacheError) {
        guard let session else { throw Self.readOnly(directory.path) }
        if !staged.isEmpty {
            try directory.synchronizeFileSystem()
            for object in staged {
                // A damaged object is replaced as a whole; an equal one, added by someone else meanwhile, by itself.
                do throws(CacheError) {
                    try session.directory.rename(object.temporaryName, to: object.objectName, in: directory)
                } catch {
                    guard error.code == .notFound else { throw error }
                    try directory.makeDirectory(String(object.objectName.prefix(2)))
                    try session.directory.rename(object.temporaryName, to: object.objectName, in: directory)
                }
            }
        }
        try directory.synchronizeFileSystem()
    }

    /// Removes what was staged and will not be published.
    func discard(_ staged: [StagedObject]) {
        // What cannot be removed is swept with the session.
        for object in staged { try? session?.directory.remove(object.temporaryName) }
    }

    static func readOnly(_ path: String) -> CacheError {
        CacheError(.notWritable, doing: "write to", path: path, cause: "the cache was opened for reading only")
    }
}
