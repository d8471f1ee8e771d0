package import Core
internal import FoundationEssentials
package import Storage

/// The runs that a cache holds.
package struct RunLibrary: Sendable {
    let cache: Cache

    package init(_ cache: Cache) {
        self.cache = cache
    }

    /// The latest run of exactly these lists in this language.
    package func latest(of lists: [String], language: String) async throws -> Manifest {
        let slugs = lists.map { Self.slug($0) }
        for name in try await names().reversed() {
            guard let manifest = try await readable(name) else {
                // What failed in a run that cannot be read is not known; an older run must not pass for it.
                if lists.count == 1, Self.slug(ofRun: name) == slugs[0] { _ = try await load(name) }
                continue
            }
            if manifest.lists == lists, manifest.language == language { return manifest }
        }
        let command = (["posterity mirror"] + lists).joined(separator: " ")
        throw RunLibraryError(
            "there is no run of \(lists.joined(separator: ", ")) in \(language) in \(cache.root) yet; make one with `\(command)`")
    }

    /// The run before `manifest` of the same lists in the same language; nil when there is none.
    package func run(before manifest: Manifest) async throws -> Manifest? {
        for name in try await names().reversed() where name < manifest.run {
            guard let earlier = try await readable(name) else { continue }
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
        for name in try await names().reversed() where name < manifest.run && seen.count < weeks {
            guard let week = ISOWeek(ofRun: name), !seen.contains(week), name.dropFirst(16).hasPrefix(manifest.run.dropFirst(16)) else {
                continue
            }
            guard let earlier = try await readable(name) else { continue }
            guard earlier.lists == manifest.lists, earlier.language == manifest.language, earlier.complete else { continue }
            found.append(earlier)
            seen.insert(week)
        }
        return found
    }

    /// The names of all runs, oldest first. Other files among them are no runs of this program's, and are passed over.
    func names() async throws -> [String] {
        try await cache.runNames().filter { ISOWeek(ofRun: $0) != nil }
    }

    /// - Throws: ``RunLibraryError`` for a manifest that is damaged, and then names the newest good run, or is of a newer version.
    package func load(_ name: String) async throws -> Manifest {
        do {
            return try await read(name)
        } catch let error as RunLibraryError where error.code == .damaged {
            let good = try await newestGood(but: name)
            let advice = good.map { "the newest good run is \($0)" } ?? "there is no good run; `posterity mirror` makes one"
            throw RunLibraryError("\(error.description); \(advice)", .damaged)
        }
    }

    /// The run `name`, or nil, with a warning, when it is damaged: for reports that can do without it.
    func readable(_ name: String) async throws -> Manifest? {
        do {
            return try await read(name)
        } catch let error as RunLibraryError where error.code == .damaged {
            cache.log.warning("\(error.description); it is left out")
            return nil
        }
    }

    private func read(_ name: String) async throws -> Manifest {
        try Self.manifest(of: name, json: try await cache.readRun(named: name))
    }

    private func newestGood(but damaged: String) async throws -> String? {
        for name in try await names().reversed() where name != damaged {
            if (try? await read(name)) != nil { return name }
        }
        return nil
    }

    static func manifest(of name: String, json: [UInt8]) throws -> Manifest {
        struct Version: Decodable {
            let version: Int
        }
        do {
            let version = try JSONText.decode(Version.self, from: json).version
            guard version <= Manifest.currentVersion else {
                throw RunLibraryError(
                    "the run \(name) is of version \(version); this program reads up to \(Manifest.currentVersion): update it",
                    .newerVersion)
            }
            var manifest = try JSONText.decode(Manifest.self, from: json)
            // The file's name is the run's, whatever a copied or edited manifest says of itself.
            manifest.run = name
            return manifest
        } catch let error as DecodingError {
            throw RunLibraryError("the run runs/\(name).json is damaged: \(explain(error, json))", .damaged)
        }
    }

    /// What is wrong with a manifest, in words.
    private static func explain(_ error: DecodingError, _ json: [UInt8]) -> String {
        guard let first = json.first(where: { $0 > UInt8(ascii: " ") }) else { return "it is empty" }
        switch error {
        case .keyNotFound(let key, _):
            return "`\(key.stringValue.prefix(40).printable)` is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return path.isEmpty ? "it is not a JSON object" : "`\(path.prefix(80).printable)` has the wrong type"
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return "`\(path.prefix(80).printable)` has a value that makes no sense"
        default:
            return first == UInt8(ascii: "{") ? "it is broken or cut-off JSON" : "it is not JSON"
        }
    }

    /// A list's path as it stands in the names of its runs: `trending-movie-week`.
    static func slug(_ list: String) -> String {
        String(list.map { $0 == "/" || $0 == "_" ? "-" : $0 })
    }

    /// What follows the time in a run's name, without the number that a second run of the same second gets.
    static func slug(ofRun name: String) -> String {
        let slug = name.dropFirst(17)
        guard let dash = slug.lastIndex(of: "-"), slug[dash...].dropFirst().allSatisfy(\.isNumber), slug[dash...].count > 1 else {
            return String(slug)
        }
        return String(slug[..<dash])
    }
}

extension ISOWeek {
    /// The week of a run, by the time that its name begins with: `20261130T062144Z-…`.
    package init?(ofRun name: String) {
        let stamp = Array(name.utf8.prefix(17))
        let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        guard stamp.count == 17, stamp[..<8].allSatisfy(isDigit), stamp[8] == UInt8(ascii: "T"), stamp[9..<15].allSatisfy(isDigit),
            stamp[15...].elementsEqual("Z-".utf8), let number = Int(name.prefix(8))
        else { return nil }
        let text = "\(number / 10_000)-" + [number / 100 % 100, number % 100].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: "-")
        guard let date = Date(iso8601: "\(text)T00:00:00Z") else { return nil }
        self.init(containing: date)
    }
}
