import Core
import FoundationEssentials
import Glibc
import Mirroring
import TestSupport
import Testing

/// A look at a cache directory with other programs than the one that made it.
struct CacheInspection {
    let root: String

    /// Every file below the cache, relative to it, without what is in flight.
    var files: [String] {
        let all = (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? []
        return all.filter { !$0.hasPrefix("tmp") && !isDirectory($0) }.sorted()
    }

    /// The names of all objects.
    var objects: [String] { files.filter { $0.hasPrefix("objects/") } }

    /// Checks by `sha256sum` that every object's name is the digest of its bytes.
    func expectSound(_ location: SourceLocation = #_sourceLocation) async throws {
        let objects = objects
        guard !objects.isEmpty else { return }
        let sums = try await sha256(of: objects)
        for object in objects {
            let name = object.split(separator: "/").last.map { String($0.prefix { $0 != "." }) }
            #expect(sums[object] == name, "\(object)", sourceLocation: location)
        }
    }

    /// Checks that every picture that `manifest` names is there, with its digest and its size.
    func expectWhole(_ manifest: Manifest, _ location: SourceLocation = #_sourceLocation) async throws {
        let pictures = manifest.pictures
        guard !pictures.isEmpty else { return }
        let sums = try await sha256(of: pictures.map(\.path))
        for picture in pictures {
            #expect("sha256:" + (sums[picture.path] ?? "") == picture.digest, "\(picture.path)", sourceLocation: location)
            var status = stat()
            #expect(stat("\(root)/\(picture.path)", &status) == 0, sourceLocation: location)
            #expect(Int(status.st_size) == picture.bytes, "\(picture.path)", sourceLocation: location)
        }
    }

    /// By path relative to the cache, by coreutils.
    func sha256(of paths: [String]) async throws -> [String: String] {
        var sums: [String: String] = [:]
        for line in try await lines(of: "sha256sum", paths) {
            let parts = line.split(separator: " ", maxSplits: 1)
            sums[String(parts[1].dropFirst())] = String(parts[0])
        }
        return sums
    }

    /// What libvips' own program reads from pictures' headers, by path: `185x278 uchar, 4 bands, srgb, webpload`.
    func headers(of paths: [String]) async throws -> [String: String] {
        var headers: [String: String] = [:]
        for line in try await lines(of: "vipsheader", paths) {
            guard let colon = line.firstRange(of: ": ") else { continue }
            headers[String(line[..<colon.lowerBound])] = String(line[colon.upperBound...])
        }
        return headers
    }

    /// Whether `text` stands in any file of the cache.
    func contains(_ text: String) async throws -> Bool {
        !(try await Tool.run("/bin/sh", ["-c", "grep -rlaF -e \"$1\" \"$0\" || true", root, text])).isEmpty
    }

    // MARK: - Private

    private func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return stat("\(root)/\(path)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private func lines(of tool: String, _ paths: [String]) async throws -> [String] {
        let script = "cd \"$0\" && exec \"$@\""
        let output = try await Tool.run("/bin/sh", ["-c", script, root, tool] + paths)
        return String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

extension Manifest {
    /// A picture that a manifest names: an original, or a rendition of one.
    struct Picture: Sendable, Hashable {
        let path: String
        let digest: String
        let bytes: Int
        let width: Int
        let height: Int
        let mediaType: String
    }

    /// Every size of every title, by rank.
    var sizesOfTitles: [(title: Title, token: String, size: Size)] {
        titles.flatMap { title in (title.poster?.sizes ?? [:]).sorted { $0.key < $1.key }.map { (title, $0.key, $0.value) } }
    }

    var originals: [Original] { sizesOfTitles.compactMap(\.size.original) }
    var renditions: [Rendition] { sizesOfTitles.flatMap(\.size.renditions) }

    /// Originals and renditions, those that several titles share once.
    var pictures: [Picture] { Array(Set(originals.map(Picture.init) + renditions.map(Picture.init))) }
}

extension Manifest.Picture {
    fileprivate init(_ original: Manifest.Original) {
        self.init(
            path: original.path, digest: original.digest.description, bytes: original.bytes, width: original.width,
            height: original.height, mediaType: original.mediaType)
    }

    fileprivate init(_ rendition: Manifest.Rendition) {
        self.init(
            path: rendition.path, digest: rendition.digest.description, bytes: rendition.bytes, width: rendition.width,
            height: rendition.height, mediaType: rendition.mediaType)
    }
}
