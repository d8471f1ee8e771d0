internal import Core
internal import FoundationEssentials
internal import Glibc
internal import Mirroring

/// The contact sheet of a site.
struct SiteSheet: Sendable {
    let file: PlannedFile
    /// Stands for all that it was made from; nil for one that is to be made again the next time.
    let key: Digest?
    var lost: [LostPictures] = []
}

/// A site on its way: what it will show is known, and nobody else publishes to its folder until this is gone.
final class SiteDraft: Sendable {
    private let manifest: Manifest
    private let earlier: [Manifest]
    private let cacheRoot: String
    private let options: SiteOptions
    private let lock: FolderLock
    private let folder: PublishedFolder

    init(_ manifest: Manifest, earlier: [Manifest], cacheRoot: String, options: SiteOptions) throws(SiteError) {
        guard !manifest.titles.isEmpty else { throw .noTitles(run: manifest.run) }
        guard ISOWeek(manifest.week) != nil else { throw .badOption("run \(manifest.run.printable) names no ISO week") }
        let path = try PublishedFolder.resolve(options.directory, apartFrom: cacheRoot)
        lock = try FolderLock(on: String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) + "/")
        StagedFolder.sweep(beside: path, lock: lock)
        folder = try PublishedFolder(at: path, calling: options.directory)
        self.manifest = manifest
        self.earlier = earlier.filter { $0.startedAt < manifest.startedAt && $0.run != manifest.run }.sorted { $0.startedAt > $1.startedAt }
        self.cacheRoot = cacheRoot
        self.options = options
    }

    /// The contact sheet: the published one when it was made from the same, else a new one.
    func sheet(from maker: SheetMaker?) async throws(SiteError) -> SiteSheet? {
        guard let maker else { return nil }
        let path = "sheet.png"
        let key = Digest(of: ([maker.identity, manifest.run] + earlier.map(\.run)).joined(separator: "\n").utf8)
        if let record = folder.record, record.sheetKey == key, let entry = record.files[path], folder.isIntact(path) {
            return SiteSheet(file: PlannedFile(path: path, entry: entry, source: .published), key: key)
        }
        // A folder that cannot be written beside is found out before the work, not after it.
        _ = try StagedFolder(beside: folder)
        do {
            let drawing = try await maker.make(manifest, earlier)
            return SiteSheet(
                file: PlannedFile(path: path, bytes: drawing.bytes), key: drawing.lost.isEmpty ? key : nil, lost: drawing.lost)
        } catch is CancellationError {
            throw .cancelled
        } catch {
            throw .sheetFailed("\(error)")
        }
    }

    /// Writes what is not there yet, and puts the whole in place. Says in `log` what the cache should have had and has not.
    ///
    /// - Parameter inputs: stands for all that the site is made from.
    func publish(sheet: SiteSheet?, inputs: Digest?, log: Log) throws(SiteError) -> SiteReport {
        let source = PictureSource(cacheRoot: cacheRoot, published: folder)
        let model = SiteModel(current: manifest, earlier: earlier, options: options, isAvailable: source.isAvailable)
        let lost = lostPictures(of: model, sheet: sheet)
        for lost in lost { log.warning(lost.sentence) }
        for week in model.weeks.dropFirst() {
            let count = week.titles.count { !$0.lost.isEmpty }
            if count > 0 { log.warning("\(week.name): the cache has lost pictures of \(count) titles, which that week's page lacks now") }
        }
        let missing = model.weeks[0].titles.count { $0.pictures.isEmpty }
        guard options.maximumMissing.allows(missing, of: manifest.titles.count) else {
            throw .tooManyMissing(missing: missing, of: manifest.titles.count, allowed: options.maximumMissing)
        }
        let plan = try SitePlan(model: model, manifest: manifest, options: options, pictures: source, sheet: sheet?.file)
        let isWhole = lost.isEmpty && model.weeks.allSatisfy { $0.titles.allSatisfy(\.lost.isEmpty) }
        var record = SiteRecord(sheetKey: sheet?.key, inputs: isWhole ? inputs : nil)
        for file in plan.files { record.files[file.path] = file.entry }

        var report = SiteReport(directory: options.directory)
        report.titles = manifest.titles.count
        report.missing = missing
        report.weeks = model.weeks.count
        report.lost = lost
        if folder.record == record, folder.isWholeAndIntact {
            report.filesKept = plan.files.count
            report.bytesKept = ByteCount(plan.files.reduce(0) { $0 + $1.entry.bytes })
            return report
        }
        try stage(plan, record: record, report: &report)
        return report
    }

    // MARK: - Private

    /// A title each, of the week that is published: what its page lacks, else what only the sheet lacks.
    private func lostPictures(of model: SiteModel, sheet: SiteSheet?) -> [LostPictures] {
        let titles = model.weeks[0].titles.filter { !$0.lost.isEmpty }
        let onPage = titles.map { title in
            LostPictures(
                of: title.record, files: title.lost.map { "\($0.cachePath): missing or damaged" }, hasOther: !title.pictures.isEmpty)
        }
        return onPage + (sheet?.lost ?? []).filter { lost in !onPage.contains { $0.isAboutSameTitle(as: lost) } }
    }

    private func stage(_ plan: SitePlan, record: SiteRecord, report: inout SiteReport) throws(SiteError) {
        let staged = try StagedFolder(beside: folder)
        var intact: [Digest: String] = [:]
        for (path, entry) in folder.record?.files ?? [:] where folder.isIntact(path) { intact[entry.digest] = path }
        for file in plan.files {
            if let present = intact[file.entry.digest], try staged.link("\(folder.path)/\(present)", to: file.path) {
                report.filesKept += 1
                report.bytesKept += ByteCount(file.entry.bytes)
            } else {
                try staged.write(try bytes(of: file), to: file.path)
                report.filesWritten += 1
                report.bytesWritten += ByteCount(file.entry.bytes)
            }
        }
        try keepStrangers(in: staged, planned: record)
        // Last of all, so that no file is younger than it.
        do {
            try staged.write(try JSONText.encode(record), to: SiteRecord.fileName)
        } catch let error as SiteError {
            throw error
        } catch {
            throw .badOption("the site's record cannot be written: \(error)")
        }
        try staged.replace(folder, lock: lock)
    }

    private func bytes(of file: PlannedFile) throws(SiteError) -> [UInt8] {
        let path: String
        switch file.source {
        case .bytes(let bytes): return bytes
        case .object(let object): path = object
        case .published: path = "\(folder.path)/\(file.path)"
        }
        guard let bytes = PictureSource.verifiedBytes(at: path, file.entry) else { throw .damagedPicture(path: path) }
        return bytes
    }

    /// Carries over what somebody else put into the folder: a `CNAME`, a `.well-known`, a hand-made page.
    private func keepStrangers(in staged: StagedFolder, planned: SiteRecord) throws(SiteError) {
        guard let old = folder.record else { return }
        for path in ((try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []).sorted() {
            guard old.files[path] == nil, path != SiteRecord.fileName else { continue }
            var status = stat()
            let existing = "\(folder.path)/\(path)"
            guard lstat(existing, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { continue }
            guard planned.files[path] == nil else {
                throw .badDirectory(path: existing, because: "it was not put there by posterity, which needs its name; move it away")
            }
            if status.st_mode & S_IFMT == S_IFLNK {
                try staged.copySymbolicLink(existing, to: path)
            } else if try !staged.link(existing, to: path) {
                throw .lastSystemError(doing: "carry over", existing)
            }
        }
    }
}
