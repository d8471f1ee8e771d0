internal import Glibc
internal import Serving

/// A published site, served as it stands at the time of each request: publishing puts another folder in its place, whole.
struct SiteFolder: Sendable {
    let path: String

    /// The file that a target leads to.
    ///
    /// No part of the path may begin with a dot or be a symbolic link: the folder holds what was published and nothing else, and whoever put
    /// a link there did not mean the whole world. Blocks.
    /// - Throws: 404, or a redirect's place in ``Redirect`` for a folder without its slash.
    func file(_ target: RequestTarget) throws(Problem) -> Found {
        var place = path
        var status = stat()
        for segment in target.segments {
            guard !segment.hasPrefix("."), segment.utf8.count <= 255 else { throw .notFound }
            place += "/" + segment
            guard lstat(place, &status) == 0, status.st_mode & S_IFMT != S_IFLNK else { throw .notFound }
        }
        if target.segments.isEmpty || status.st_mode & S_IFMT == S_IFDIR {
            guard target.isFolder else { return .redirect(target.segments.map(Self.encoded).reduce("") { $0 + "/" + $1 } + "/") }
            place += "/index.html"
            guard lstat(place, &status) == 0 else { throw .notFound }
        } else if target.isFolder {
            throw .notFound
        }
        guard status.st_mode & S_IFMT == S_IFREG, let file = try? SharedFile(path: place) else { throw .notFound }
        let version = [UInt64(status.st_ino), UInt64(status.st_size), UInt64(status.st_mtim.tv_sec), UInt64(status.st_mtim.tv_nsec)]
        let etag = "\"" + version.map { String($0, radix: 36) }.joined(separator: "-") + "\""
        return .file(file, etag: etag, mediaType: Self.mediaType(of: place))
    }

    enum Found: Sendable {
        case file(SharedFile, etag: String, mediaType: String)
        case redirect(String)
    }

    // MARK: - Private

    private static let mediaTypes = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "json": "application/json", "xml": "application/xml", "atom": "application/atom+xml", "txt": "text/plain; charset=utf-8",
        "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp", "avif": "image/avif",
        "gif": "image/gif", "ico": "image/x-icon", "pdf": "application/pdf", "webmanifest": "application/manifest+json",
    ]

    private static func mediaType(of path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        return name.split(separator: ".").dropFirst().last.flatMap { mediaTypes[$0.lowercased()] } ?? "application/octet-stream"
    }

    /// A part of a path as it stands in a `Location`.
    private static func encoded(_ segment: String) -> String {
        var text = ""
        for byte in segment.utf8 {
            let scalar = Unicode.Scalar(byte)
            if scalar.isASCII, scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "-_.~".unicodeScalars.contains(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }
}
