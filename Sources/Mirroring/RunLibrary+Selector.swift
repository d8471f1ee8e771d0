internal import Core
internal import Storage

extension RunLibrary {
    /// Less of a run's name than this, a year, is more likely a slip than a choice.
    private static let shortestPrefix = 4

    /// The run that `selector` means: a run's name or the beginning of one, with or without `runs/` and `.json`; a list's path, or its
    /// path as it stands in runs' names (its latest run); an ISO week (the latest run in it); or nil for the latest of all.
    ///
    /// - Throws: ``RunLibraryError``, or `CacheError`.
    package func run(_ selector: String?) async throws -> Manifest {
        let names = try await names()
        guard let selector else {
            guard let latest = names.last else {
                throw RunLibraryError("there is no run yet in \(cache.root); make one with `posterity mirror`")
            }
            return try await load(latest)
        }
        let wanted = Self.withoutFileParts(selector)
        if names.contains(wanted) { return try await load(wanted) }
        if let week = ISOWeek(wanted.uppercased()) {
            if let name = names.last(where: { ISOWeek(ofRun: $0) == week }) { return try await load(name) }
            throw RunLibraryError("there is no run of the week \(week) in \(cache.root); `posterity runs` lists them")
        }
        if let name = names.last(where: { Self.slug(ofRun: $0) == wanted }) { return try await load(name) }
        if wanted.count >= Self.shortestPrefix, let name = latest(of: names, beginningWith: wanted) { return try await load(name) }
        if let found = try await latest(of: names, mirroring: wanted) { return found }
        let shown = selector.count > 80 ? selector.prefix(79) + "…" : selector
        throw RunLibraryError("there is no run \(shown) in \(cache.root); `posterity runs` lists them")
    }

    // MARK: - Private

    /// The name of the run whose file `text` may be.
    private static func withoutFileParts(_ text: String) -> String {
        guard text.hasSuffix(".json") else { return text }
        return String(text.dropLast(5).split(separator: "/", omittingEmptySubsequences: false).last ?? "")
    }

    private func latest(of names: [String], beginningWith prefix: String) -> String? {
        let found = names.filter { $0.hasPrefix(prefix) }
        if found.count > 1, let latest = found.last {
            cache.log.warning("\(found.count) runs begin with \(prefix); the latest of them, \(latest), is meant")
        }
        return found.last
    }

    /// The latest run that has `list` among its lists.
    private func latest(of names: [String], mirroring list: String) async throws -> Manifest? {
        // Only paths can be lists; anything else would read every run for nothing.
        guard list.contains("/") else { return nil }
        for name in names.reversed() {
            // An older run must not pass for the latest of the list.
            if Self.slug(ofRun: name) == Self.slug(list) { return try await load(name) }
            guard let manifest = try await readable(name) else { continue }
            if manifest.lists.contains(list) { return manifest }
        }
        return nil
    }
}
