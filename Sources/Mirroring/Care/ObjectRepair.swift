internal import Core
internal import Imaging
package import Storage
internal import Transfer

/// Brings back objects that are missing or damaged: originals from their URLs, renditions from their originals.
///
/// Only the very same bytes count as brought back: a run's manifest names a digest, and nothing else will do.
package struct ObjectRepair: Sendable {
    package struct Report: Sendable {
        /// Where damaged and misnamed files are now, relative to the cache.
        package var setAside: [String] = []
        /// Objects that are whole again, relative to the cache. Sorted.
        package var repaired: [String] = []
        /// Objects that something names and that could not be brought back, and why.
        package var lost: [String: String] = [:]
    }

    /// An original, and what of it is to be brought back.
    private struct Job: Sendable {
        var picture: StoredPicture
        /// Of the URLs that had it, the newest first.
        var records: [SourceRecord]
        var isOriginalBad: Bool
        /// By recipe; all that was made of it.
        var renditions: [String: StoredPicture]
        var badRecipes: Set<String>
    }

    private struct Failure: Error {
        let why: String
    }

    private let services: MirrorServices
    private let limits: MirrorLimits
    private let lost = Lost()

    package init(services: MirrorServices, limits: MirrorLimits = MirrorLimits()) {
        self.services = services
        self.limits = limits
    }

    /// Sets aside what `report` found bad, and brings back what can be.
    ///
    /// - Parameter manifests: all runs, oldest first.
    /// - Throws: `CacheError` when the cache is in trouble, or `CancellationError`.
    package func repair(_ report: VerifyReport, manifests: [Manifest]) async throws -> Report {
        let cache = services.cache
        let bad = Dictionary(
            report.findings.filter { $0.kind == .missing || $0.kind == .damaged }.compactMap { finding in
                finding.digest.map { ($0, finding.path) }
            }
        ) { first, _ in first }
        // Looked up first: setting aside makes the index forget.
        let indexed = try await cache.recordedSources(of: Array(try await cache.urls(naming: bad.keys)))
        let jobs = Self.jobs(for: Set(bad.keys), records: indexed + manifests.reversed().flatMap(\.sourceRecords))
        var result = Report(setAside: try await cache.repair(report))
        try await forEachBounded(jobs, limit: limits.downloads) { job in
            do {
                try await perform(job)
            } catch let failure as Failure {
                if job.isOriginalBad { lost.add(job.picture.digest, failure.why) }
                for recipe in job.badRecipes { if let picture = job.renditions[recipe] { lost.add(picture.digest, failure.why) } }
            }
        }
        try await cache.flush()
        let reasons = lost.reasons
        for job in jobs {
            let originals = job.isOriginalBad ? [job.picture.digest] : []
            for digest in originals + job.badRecipes.compactMap({ job.renditions[$0]?.digest }) {
                guard let path = bad[digest] else { continue }
                if let why = reasons[digest] { result.lost[path] = why } else { result.repaired.append(path) }
            }
        }
        result.repaired = Set(result.repaired).subtracting(result.lost.keys).sorted()
        return result
    }

    // MARK: - What to do

    /// - Parameter records: the most trustworthy first.
    private static func jobs(for bad: Set<Digest>, records: [SourceRecord]) -> [Job] {
        var jobs: [Digest: Job] = [:]
        for record in records {
            let badRecipes = record.renditions.filter { bad.contains($0.value.digest) }.map(\.key)
            let isOriginalBad = bad.contains(record.picture.digest)
            guard isOriginalBad || !badRecipes.isEmpty else { continue }
            let none = Job(picture: record.picture, records: [], isOriginalBad: isOriginalBad, renditions: [:], badRecipes: [])
            jobs[record.picture.digest, default: none].records.append(record)
            jobs[record.picture.digest]?.renditions.merge(record.renditions) { first, _ in first }
            jobs[record.picture.digest]?.badRecipes.formUnion(badRecipes)
        }
        return jobs.values.sorted { $0.picture.digest < $1.picture.digest }
    }

    // MARK: - Doing it

    private func perform(_ job: Job) async throws {
        let cache = services.cache
        let (bytes, record) = try await original(of: job)
        var renditions: [NewRendition] = []
        do {
            let recipes = try job.badRecipes.sorted().map { try Recipe($0) }
            let rendering = try await services.renderer.render(bytes, recipes: recipes)
            renditions = rendering.images.map { NewRendition($0) }
        } catch let error as ImagingError {
            throw Failure(why: error.detail)
        } catch let error as RecipeError {
            throw Failure(why: "\(error)")
        }
        if job.isOriginalBad {
            // The index has forgotten the original, and with it what was made of it and is whole.
            for (recipe, picture) in job.renditions where !job.badRecipes.contains(recipe) {
                guard let bytes = try? await cache.read(picture) else { continue }
                renditions.append(NewRendition(recipe: recipe, picture: NewPicture(bytes, like: picture)))
            }
        }
        let present = try await cache.sources(of: [record.url])[record.url]
        var source = NewSource(record, renditions: renditions)
        if job.isOriginalBad { source.original = .new(NewPicture(bytes, like: job.picture)) }
        source.colour = record.colour
        source.placeholder = record.placeholder
        let stored = try await cache.add(source)
        if let present, present.picture.digest != job.picture.digest {
            // The URL has had another picture since, and keeps it.
            _ = try await cache.add(NewSource(present, renditions: []))
        }
        for recipe in job.badRecipes where stored.renditions[recipe]?.digest != job.renditions[recipe]?.digest {
            guard let digest = job.renditions[recipe]?.digest else { continue }
            lost.add(digest, "it was made again, but another version of the imaging library gives other bytes; prune the runs that name it")
        }
    }

    /// The original's bytes, from the cache or from the first URL that still serves them, and what the index is to say of it.
    private func original(of job: Job) async throws -> ([UInt8], SourceRecord) {
        guard job.isOriginalBad else { return (try await services.cache.read(job.picture), job.records[0]) }
        var why = "no URL is known for it"
        var asked: Set<String> = []
        for record in job.records where asked.insert(record.url).inserted {
            do {
                return try await download(record)
            } catch let failure as Failure {
                why = failure.why
            } catch let error as TransferError {
                if error.isCancellation { throw CancellationError() }
                why = error.description
            }
        }
        throw Failure(why: why)
    }

    private func download(_ record: SourceRecord) async throws -> ([UInt8], SourceRecord) {
        let request = HTTPRequest(
            try WebAddress(record.url), headers: [PictureWorker.accepted], maximumBytes: Int(limits.originalBytes.bytes),
            deadline: limits.posterDeadline)
        let response = try await services.governor.send(request, policy: .images)
        guard response.status == 200 else { throw Failure(why: "\(record.url) answers \(response.status)") }
        guard await services.cache.digest(of: response.body) == record.picture.digest else {
            throw Failure(why: "\(record.url) has another picture now; prune the runs that name this one")
        }
        let now = services.clock.now()
        var current = record
        current.fetchedAt = now
        current.freshUntil = Freshness.freshUntil(response.headers, now: now, otherwise: PictureWorker.freshWithoutWord)
        current.etag = response.headers["ETag"]
        current.lastModified = response.headers["Last-Modified"]
        return (response.body, current)
    }
}

extension ObjectRepair {
    /// What could not be brought back, and why.
    private final class Lost: Sendable {
        private let found = Mutex<[Digest: String]>([:])

        var reasons: [Digest: String] { found.withLock { $0 } }

        func add(_ digest: Digest, _ why: String) { found.withLock { $0[digest] = why } }
    }
}

extension NewPicture {
    fileprivate init(_ bytes: [UInt8], like picture: StoredPicture) {
        let name = picture.path.split(separator: "/").last ?? ""
        self.init(
            bytes: bytes, fileExtension: name.split(separator: ".").last.map(String.init) ?? "", mediaType: picture.mediaType,
            widthPixels: picture.widthPixels, heightPixels: picture.heightPixels)
    }
}
