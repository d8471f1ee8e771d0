internal import Core
internal import Glibc
internal import Imaging
internal import Mirroring

/// Takes posters from the cache: reads a file, checks its digest, and decodes it if the canvas needs pixels.
final class PosterShelf: Sendable {
    /// What a poster is wanted for.
    enum Use: Sendable, Equatable {
        /// Originals as they are where possible, good for this many pixels across.
        case pdf(widthPixels: Double)
        case raster(widthPixels: Int, heightPixels: Int)
    }

    private let root: String
    private let use: Use
    private let renderer: Renderer
    private let readers: WorkerThreads
    private let lost = Mutex<[Int: LostPictures]>([:])

    /// - Parameter readers: threads on which files are read.
    init(root: String, use: Use, renderer: Renderer, readers: WorkerThreads) {
        self.root = root
        self.use = use
        self.renderer = renderer
        self.readers = readers
    }

    /// What could not be used though the manifest names it, in the titles' order.
    var lostPictures: [LostPictures] { lost.withLock { lost in lost.sorted { $0.key < $1.key }.map(\.value) } }

    /// The pictures of `titles`, in their order; nil for a title without one.
    func pictures(of titles: ArraySlice<Manifest.Title>) async throws -> [SheetPicture?] {
        let found = Mutex<[Int: SheetPicture]>([:])
        try await forEachBounded(titles.indices, limit: 4) { place in
            guard let poster = titles[place].poster else { return }
            let (picture, failures) = try await self.picture(of: poster)
            if !failures.isEmpty {
                let lost = LostPictures(of: titles[place], files: failures, hasOther: picture != nil)
                self.lost.withLock { $0[place] = lost }
            }
            if let picture { found.withLock { $0[place] = picture } }
        }
        return found.withLock { found in titles.indices.map { found[$0] } }
    }

    // MARK: - Private

    /// The best picture there is, and what is the matter with those that would have been better.
    private func picture(of poster: Manifest.Poster) async throws -> (SheetPicture?, failures: [String]) {
        let width =
            switch use {
            case .pdf(let pixels): pixels
            case .raster(let pixels, _): Double(pixels)
            }
        var failures: [String] = []
        for source in poster.sources(forWidth: width) {
            do {
                return (try await picture(from: source), failures)
            } catch {
                // What was interrupted is not damaged.
                try Task.checkCancellation()
                failures.append("\(source.path): \(error)")
            }
        }
        return (nil, failures)
    }

    private func picture(from source: Manifest.Poster.Source) async throws -> SheetPicture {
        let bytes = try await read(source)
        switch use {
        case .raster(let width, let height):
            return .pixels(try await pixels(of: bytes, width: width, height: height))
        case .pdf(let wanted):
            if let header = JPEGHeader(bytes), header.isEmbeddable { return .jpeg(bytes, header: header, digest: source.digest) }
            // Any other format would be stored as bare pixels, ten times the size: it becomes a JPEG of the size that is needed.
            let width = max(1, min(source.widthPixels, Int(wanted.rounded(.up))))
            let fitted = try await pixels(of: bytes, width: width, height: Int((Double(width) * 1.5).rounded()))
            guard fitted.isOpaque else { return .pixels(fitted) }
            let jpeg = try await renderer.encode(fitted, as: .jpeg, quality: 90)
            guard let header = JPEGHeader(jpeg) else { return .pixels(fitted) }
            return .jpeg(jpeg, header: header, digest: Digest(of: jpeg))
        }
    }

    private func pixels(of bytes: [UInt8], width: Int, height: Int) async throws -> PixelBuffer {
        try await renderer.pixels(of: bytes, recipe: Recipe("cover,\(width)x\(height),radius=0,enlarge,png"))
    }

    /// - Throws: when the file is not there, or is not what the manifest says: a damaged picture is not to be published.
    private func read(_ source: Manifest.Poster.Source) async throws -> [UInt8] {
        guard source.isPlausible else { throw SheetError(.failed, "the size that the manifest gives it makes no sense") }
        let parts = source.path.split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.isEmpty, parts.allSatisfy({ !$0.isEmpty && $0 != ".." && $0 != "." }) else {
            throw SheetError(.failed, "not a path in the cache")
        }
        let path = root + "/" + source.path
        return try await readers.run { () throws(SheetError) in
            guard let file = fopen(path, "rbe") else { throw SheetError(.failed, systemText(errno)) }
            defer { fclose(file) }
            var bytes: [UInt8] = []
            var status = stat()
            if fstat(fileno(file), &status) == 0 { bytes.reserveCapacity(Int(status.st_size)) }
            var piece = [UInt8](repeating: 0, count: 65_536)
            while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
            guard Digest(of: bytes) == source.digest else { throw SheetError(.failed, "the file is not what it was: its digest differs") }
            return bytes
        }
    }
}

extension PixelBuffer {
    fileprivate var isOpaque: Bool { stride(from: 3, to: rgba.count, by: 4).allSatisfy { rgba[$0] == 255 } }
}
