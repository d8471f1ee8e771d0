package import Core
internal import FoundationEssentials
package import Storage

/// The runs that a cache holds.
package struct RunLibrary: Sendable {
    let cache: Cache

    package init(_ cache: Cache) {
        self.cache = cache
    }

    /// The run that `selector` means: a run's name or the beginning of one, a list's path (its latest run), an ISO week (the latest run in
    /// it), or nil for the latest of all.
    ///
    /// - Throws: ``RunLibraryError``, or `CacheError`.
    package func run(_ selector: String?) async throws -> Manifest {
        let names = try await cache.runNames()
        guard let selector else {
            guard let latest = names.last else {
                throw RunLibraryError("there is no run yet in \(cache.root); make one with `posterity mirror`")
            }
            return try await load(latest)
        }
        if names.contains(selector) { return try await load(selector) }
        if let week = ISOWeek(selector) {
            for name in names.reversed() where ISOWeek(ofRun: name) == week { return try await load(name) }
            throw RunLibraryError("there is no run of the week \(week) in \(cache.root); `posterity runs` lists them")
        }
        if let prefixed = names.last(where: { $0.hasPrefix(selector) }) { return try await load(prefixed) }
        for name in names.reversed() {
            let manifest = try await load(name)
            if manifest.lists.contains(selector) { return manifest }
        }
        throw RunLibraryError("there is no run \(selector.printable) in \(cache.root); `posterity runs` lists them")
    }

    /// The latest run of exactly these lists in this language.
    package func latest(of lists: [String], language: String) async throws -> Manifest {
        for name in try await cache.runNames().reversed() {
            let manifest = try await load(name)
            if manifest.lists == lists, manifest.language == language { return manifest }
        }
        let command = (["posterity mirror"] + lists).joined(separator: " ")
        throw RunLibraryError(
            "there is no run of \(lists.joined(separator: ", ")) in \(language) in \(cache.root) yet; make one with `\(command)`")
    }

    /// The run before `manifest` of the same lists in the same language; nil when there is none.
    package func run(before manifest: Manifest) async throws -> Manifest? {
        for name in try await cache.runNames().reversed() where name < manifest.run {
            let earlier = try await load(name)
            if earlier.lists == manifest.lists, earlier.language == manifest.language { return earlier }
        }
        return nil
    }

    /// The runs before `manifest` that mirrored the same lists in the same language, newest first: the last of each ISO week, for at most
    /// `weeks` weeks.
    ///
    /// Of a week with many runs only the last whole one is read, so that a mirror that runs every hour does not make reports slow.
    package func history(of manifest: Manifest, weeks: Int) async throws -> [Manifest] {
        var found: [Manifest] = []
        var seen: Set<ISOWeek> = []
        for name in try await cache.runNames().reversed() where name < manifest.run && seen.count < weeks {
            guard let week = ISOWeek(ofRun: name), !seen.contains(week), name.dropFirst(16).hasPrefix(manifest.run.dropFirst(16)) else {
                continue
            }
            let earlier = try await load(name)
            guard earlier.lists == manifest.lists, earlier.language == manifest.language, earlier.complete else { continue }
            found.append(earlier)
            seen.insert(week)
        }
        return found
    }

    /// - Throws: ``RunLibraryError`` for a manifest that cannot be read, or is of a newer version.
    package func load(_ name: String) async throws -> Manifest {
        try Self.manifest(of: name, json: try await cache.readRun(named: name))
    }

    static func manifest(of name: String, json: [UInt8]) throws -> Manifest {
        struct Version: Decodable {
            let version: Int
        }
        do {
            let version = try JSONText.decode(Version.self, from: json).version
            guard version <= Manifest.currentVersion else {
                throw RunLibraryError(
                    "the run \(name) is of version \(version); this program reads up to \(Manifest.currentVersion): update it")
            }
            return try JSONText.decode(Manifest.self, from: json)
        } catch let error as DecodingError {
            throw RunLibraryError("the run \(name) is not a manifest: \(error)")
        }
    }
}

/// Why a run cannot be shown.
package struct RunLibraryError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description.printable
    }
}

extension ISOWeek {
    /// The week of a run, by the time that its name begins with: `20261130T062144Z-…`.
    package init?(ofRun name: String) {
        let digits = name.prefix(8)
        guard digits.count == 8, let number = Int(digits) else { return nil }
        let text = "\(number / 10_000)-" + [number / 100 % 100, number % 100].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: "-")
        guard let date = Date(iso8601: "\(text)T00:00:00Z") else { return nil }
        self.init(containing: date)
    }
}
