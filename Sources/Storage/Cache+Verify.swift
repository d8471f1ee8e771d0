package import Core
internal import Glibc

/// What a look at every object found.
package struct VerifyReport: Sendable, Equatable {
    package struct Finding: Sendable, Hashable {
        package enum Kind: String, Sendable, CaseIterable {
            /// The index or a run names an object that is not there.
            case missing
            /// The bytes do not have the digest that the name states.
            case damaged
            /// A file in `objects/` without an object's name.
            case misnamed
            /// A whole object that neither the index nor a run names: what an interrupted run leaves, and prune removes. Nothing wrong.
            case orphaned
        }

        package var kind: Kind
        /// Relative to the cache.
        package var path: String
        /// Nil for a misnamed file.
        package var digest: Digest?
        /// One sentence for a person.
        package var detail: String
    }

    package var objects = 0
    package var bytes = ByteCount(0)
    /// Sorted by path.
    package var findings: [Finding] = []

    /// Whether nothing is missing, damaged or misnamed.
    package var isSound: Bool { findings.allSatisfy { $0.kind == .orphaned } }
}

extension Cache {
    /// Digests every object again, on as many threads as there are processors, and holds the index and `needed` against what is there.
    ///
    /// - Parameters:
    ///   - needed: pictures that runs name.
    ///   - progress: is called with the number of files looked at so far and the number expected, from any thread.
    package func verify(
        needed: Set<StoredPicture>, progress: @escaping @Sendable (_ looked: Int, _ expected: Int) -> Void = { _, _ in }
    ) async throws -> VerifyReport {
        try await committer?.flush()
        let expected = try await readingThread.run { [index] () throws(CacheError) in try index.pictures() }
        let report = Monitor(VerifyReport())
        let found = Monitor(Set<String>())
        let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        try await WorkerThreads.withThreads(processors, named: "cache-verify") { [objects] threads in
            let tops = try await threads.run { () throws(CacheError) in try objects.topNames() }
            try await forEachBounded(tops, limit: processors) { top in
                try await threads.run { () throws(CacheError) in
                    for file in try objects.files(in: top) {
                        let finding = try objects.check(file)
                        let count = report.change { report in
                            report.objects += 1
                            report.bytes += ByteCount(file.byteCount)
                            if let finding { report.findings.append(finding) }
                            return report.objects
                        }
                        // What only stands in an object's place, a directory or a pipe, is not the object.
                        if finding?.kind != .misnamed { found.change { _ = $0.insert(file.path) } }
                        progress(count, max(count, expected.count))
                    }
                }
            }
        }
        // A mirror may be running beside: only what the index still says counts, and what it says now is no orphan.
        let indexed = try await readingThread.run { [index] () throws(CacheError) in try index.pictures() }
        let files = found.change { $0 }
        let wanted = needed.union(indexed.filter(expected.contains))
        let missing = await readingThread.run { [objects] in wanted.filter { !files.contains($0.path) && !objects.has($0) } }
        let named = Set(needed.map(\.path)).union(indexed.map(\.path))
        return report.change { report in
            let bad = Set(report.findings.map(\.path))
            for path in files.subtracting(named).subtracting(bad) {
                let name = path.split(separator: "/").last.map(String.init) ?? path
                let digest = Digest(name.prefix { $0 != "." })
                report.findings.append(.init(kind: .orphaned, path: path, digest: digest, detail: "no run and no source needs it"))
            }
            for picture in missing {
                report.findings.append(
                    .init(kind: .missing, path: picture.path, digest: picture.digest, detail: "it is named, but the file is not there"))
            }
            report.findings.sort { ($0.path, $0.kind.rawValue) < ($1.path, $1.kind.rawValue) }
            return report
        }
    }

    /// Sets damaged and misnamed files aside into `damaged/`, and forgets what is not there, so that the next mirror fetches it again.
    ///
    /// - Returns: the paths of the files set aside.
    package func repair(_ report: VerifyReport) async throws(CacheError) -> [String] {
        guard session != nil else { throw ObjectStore.readOnly(root) }
        try await flush()
        return try await stagingThreads.run { [self] () throws(CacheError) in
            let locks = try Directory(CacheLayout.locks, in: directory)
            return try RemovalGuard.withRemovalAllowed(locks: locks) { () throws(CacheError) in
                // Looked at again: since the report was made someone may have brought the object back.
                let missing = report.findings.filter { $0.kind == .missing && !objects.directory.exists(objectName($0.path)) }
                let bad = report.findings.filter { finding in
                    guard finding.kind == .damaged || finding.kind == .misnamed else { return false }
                    guard let digest = finding.digest else { return true }
                    return (try? objects.digest(of: objectName(finding.path))) != digest
                }
                try index.forget((missing + bad).map(\.path))
                return try setAside(bad.map(\.path))
            }
        }
    }

    // MARK: - Private

    private func objectName(_ path: String) -> String { String(path.dropFirst(CacheLayout.objects.utf8.count + 1)) }

    private func setAside(_ paths: [String]) throws(CacheError) -> [String] {
        guard !paths.isEmpty, let session else { return [] }
        try directory.makeDirectory(CacheLayout.damaged)
        let damaged = try Directory(CacheLayout.damaged, in: directory)
        var moved: [String] = []
        for path in paths {
            let name = objectName(path)
            guard objects.directory.exists(name) else { continue }
            let base = name.split(separator: "/").last.map(String.init) ?? name
            var free = base
            while damaged.exists(free) { free = "\(base).\(session.newName())" }
            try objects.directory.rename(name, to: free, in: damaged)
            moved.append("\(CacheLayout.damaged)/\(free)")
        }
        try damaged.synchronizeFileSystem()
        return moved
    }
}

extension ObjectStore {
    /// What is wrong with a file; nil when nothing is, or when it has been removed in the meantime.
    fileprivate func check(_ file: ObjectFile) throws(CacheError) -> VerifyReport.Finding? {
        guard let digest = file.digest else {
            return .init(kind: .misnamed, path: file.path, digest: nil, detail: "its name is not that of an object")
        }
        do throws(CacheError) {
            let actual = try self.digest(of: file.name)
            if actual == digest { return nil }
            return .init(kind: .damaged, path: file.path, digest: digest, detail: "its bytes have the digest \(actual.hex)")
        } catch {
            switch error.code {
            case .notFound: return nil
            case .tooManyFiles: throw error
            default: return .init(kind: .damaged, path: file.path, digest: digest, detail: "it cannot be read: \(error.cause)")
            }
        }
    }
}
