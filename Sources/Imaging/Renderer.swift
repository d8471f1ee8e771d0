internal import CVips
internal import Core

/// Verifies, decodes and renders pictures on threads of its own.
///
/// Each call is one job on one thread: an original is decoded once, and everything that is wanted of it is made there and then. libvips starts
/// with the first job, so that a run without any does not pay for it.
package final class Renderer: Sendable {
    let limits: ImageLimits
    let masks = CornerMasks()
    private let threads: WorkerThreads

    /// How many pictures can be worked on at once.
    package var threadCount: Int { threads.count }

    private init(threads: WorkerThreads, limits: ImageLimits) {
        self.threads = threads
        self.limits = limits
    }

    /// Runs `body` with a renderer of `threads` threads.
    package static func withRenderer<Value>(
        threads: Int, limits: ImageLimits = .standard, _ body: (Renderer) async throws -> Value
    ) async throws -> Value {
        try await WorkerThreads.withThreads(threads, named: "render", atThreadExit: LibVips.threadWillExit) { pool in
            try await body(Renderer(threads: pool, limits: limits))
        }
    }

    /// What `original`'s first bytes and header say, held against the limits; nothing is decoded.
    package func header(of original: [UInt8]) async throws(ImagingError) -> PictureHeader {
        let limits = limits
        // A plain JPEG's header is read sooner than another thread is woken for it.
        if try Self.format(of: original) == .jpeg, let header = try Self.plainHeader(of: original, limits: limits) { return header }
        return try await onThread(original) { bytes, format, _ throws(LibVips.Failure) in
            try Original.header(of: bytes, as: format, limits: limits)
        }
    }

    /// Verifies `original` by one full decode, and makes everything from that.
    ///
    /// - Parameter recipes: may be empty: then the original is only verified and summed up.
    package func render(_ original: [UInt8], recipes: [Recipe]) async throws(ImagingError) -> Rendering {
        let (limits, masks) = (limits, masks)
        let withoutLibVips: QuickJob<Rendering> = { bytes throws(LibVips.Failure) in
            guard let decoded = try Original(plain: bytes, limits: limits, recipes: recipes) else { return nil }
            return try Rendering(of: decoded, recipes: recipes, masks: masks)
        }
        return try await onThread(original, trying: withoutLibVips) { bytes, format, strictness throws(LibVips.Failure) in
            let decoded = try Original(
                decoding: bytes, as: format, limits: limits, recipes: recipes, for: .rendering, strictness: strictness)
            return try Rendering(of: decoded, recipes: recipes, masks: masks)
        }
    }

    /// What `recipe` makes of `original`, not encoded: for drawings that pictures are put into.
    package func pixels(of original: [UInt8], recipe: Recipe) async throws(ImagingError) -> PixelBuffer {
        let (limits, masks) = (limits, masks)
        return try await onThread(original) { bytes, format, strictness throws(LibVips.Failure) in
            let decoded = try Original(
                decoding: bytes, as: format, limits: limits, recipes: [recipe], for: .drawing, strictness: strictness)
            return PixelBuffer(try decoded.pixels(recipe, masks: masks))
        }
    }

    // MARK: - Jobs

    typealias Job<Value> = @Sendable (UnsafeRawBufferPointer, ImageFormat, Original.Strictness) throws(LibVips.Failure) -> Value

    /// Does a JPEG's job without libvips, or gives nil when that cannot be. Fails with what is known alone.
    typealias QuickJob<Value> = @Sendable (UnsafeRawBufferPointer) throws(LibVips.Failure) -> Value?

    /// Runs `job` with the bytes of `original` on one of the threads, and again on its own when libvips has something to say against it;
    /// not at all when `quickJob` does for a JPEG.
    func onThread<Value: Sendable>(
        _ original: [UInt8], trying quickJob: QuickJob<Value>? = nil, _ job: @escaping Job<Value>
    ) async throws(ImagingError) -> Value {
        let format = try Self.format(of: original)
        return try await threads.run { () throws(ImagingError) -> Value in
            try Self.withBytes(of: original) { bytes throws(ImagingError) in
                // Every decoder makes something of a beginning; the file's own structure says at once that its end is missing.
                guard Structure.isComplete(bytes, as: format) else {
                    throw ImagingError(.truncatedImage, "the \(format.name) picture ends too early")
                }
                if format == .jpeg { try Self.checkScans(of: bytes) }
                if format == .jpeg, let quickJob, let value = try Self.knowing({ () throws(LibVips.Failure) in try quickJob(bytes) }) {
                    return value
                }
                return try Self.perform(job, bytes, format)
            }
        }
    }

    private static func checkScans(of bytes: UnsafeRawBufferPointer) throws(ImagingError) {
        let count = Structure.scanCount(ofJPEG: bytes)
        guard count <= ImageLimits.maximumScans else {
            throw ImagingError(.tooManyPixels, "it is drawn in \(count) scans; at most \(ImageLimits.maximumScans) are let in")
        }
    }

    /// Runs `body`, which fails only with what we know ourselves.
    private static func knowing<Value>(_ body: () throws(LibVips.Failure) -> Value?) throws(ImagingError) -> Value? {
        do throws(LibVips.Failure) {
            return try body()
        } catch {
            if case .known(let error) = error { throw error }
            return nil
        }
    }

    private static func plainHeader(of original: [UInt8], limits: ImageLimits) throws(ImagingError) -> PictureHeader? {
        try withBytes(of: original) { bytes throws(ImagingError) in
            guard Structure.isComplete(bytes, as: .jpeg) else { return nil }
            return try knowing { () throws(LibVips.Failure) in try Original.header(ofPlain: bytes, limits: limits) }
        }
    }

    /// The standard library's own function forgets what kind of error its closure throws.
    private static func withBytes<Value>(
        of original: [UInt8], _ body: (UnsafeRawBufferPointer) throws(ImagingError) -> Value
    ) throws(ImagingError) -> Value {
        let result: Result<Value, ImagingError> = original.withUnsafeBytes { bytes in
            Result { () throws(ImagingError) -> Value in try body(bytes) }
        }
        return try result.get()
    }

    /// Runs a `job` that has no original to blame.
    func onThread<Value: Sendable>(
        making what: String, _ job: @escaping @Sendable () throws(LibVips.Failure) -> Value
    ) async throws(ImagingError) -> Value {
        try await threads.run { () throws(ImagingError) -> Value in
            do throws(LibVips.Failure) {
                return try LibVips.shared(job)
            } catch {
                if case .known(let error) = error { throw error }
            }
            return try LibVips.alone { () throws(ImagingError) -> Value in
                do throws(LibVips.Failure) {
                    return try job()
                } catch {
                    if case .known(let error) = error { throw error }
                    throw ImagingError(.renderFailed, "cannot make \(what): \(LibVips.takeErrorText())")
                }
            }
        }
    }

    private static func perform<Value>(_ job: Job<Value>, _ bytes: UnsafeRawBufferPointer, _ format: ImageFormat) throws(ImagingError)
        -> Value
    {
        do throws(LibVips.Failure) {
            return try LibVips.shared { () throws(LibVips.Failure) -> Value in try job(bytes, format, .warningsFail) }
        } catch {
            if case .known(let error) = error { throw error }
        }
        return try LibVips.alone { () throws(ImagingError) -> Value in
            let value: Value
            do throws(LibVips.Failure) {
                value = try job(bytes, format, .errorsFail)
            } catch {
                if case .known(let error) = error { throw error }
                throw Diagnosis.failure(LibVips.takeErrorText(), bytes: bytes, as: format)
            }
            if format == .jpeg, let damage = Diagnosis.damage(inWarnings: LibVips.takeErrorText()) { throw damage }
            return value
        }
    }

    private static func format(of original: [UInt8]) throws(ImagingError) -> ImageFormat {
        if original.isEmpty { throw ImagingError(.emptyBody, "the body is empty") }
        switch SniffedContent(original) {
        case .allowed(let format): return format
        case .forbidden(let what):
            throw ImagingError(.formatNotAllowed, "the body is \(what); only JPEG, PNG, WebP, GIF and AVIF are let in")
        case .other(let what): throw ImagingError(.notAnImage, "the body is \(what), not an image")
        }
    }
}
