import Core
import FoundationEssentials
import Mirroring
import Reports
import TestSupport

/// A cache with real pictures, and runs that show them.
struct SiteFixture {
    /// A directory of the test's own; `cache` and `site` are in it.
    let root: String
    /// The sizes' widths. Small ones by default, because making pictures takes most of a test's time.
    var widths = [18, 34, 50]
    var cache: String { root + "/cache" }
    var site: String { root + "/site" }

    /// Titles in many scripts, and some that try to break a page.
    static let names = [
        "The Lantern Keepers", "أغنية النهر الطويل", "השיר של הגשר", "灯台守の娘", "Вечер на острове", "चाँदनी रात का सफ़र", "달빛 아래 도서관",
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "Ashes & Apricots", "A\u{202E}desrever\u{0000}\u{0007}\u{FFFE}",
        "🎬 Cut!", "An Extraordinarily Long Title About the Woman Who Counted Every Single Star Above the Northern Sea", "Driftwood",
        "Night Bus 42", "]]>", "' onmouseover='alert(1)", "CON", "Τα νησιά της σιωπής", "Aurora Protocol",
    ]

    /// A run of `week` with titles of the given ids, in rank order.
    func run(week: String, ids: [Int], without missing: Set<Int> = [], list: String = "trending/movie/week") throws -> Manifest {
        let start = try started(week)
        let titles = try ids.enumerated().map { index, id in
            let name = Self.names[id % Self.names.count] + (id < Self.names.count ? "" : " \(id / Self.names.count + 1)")
            return Manifest.Title(
                rank: index + 1, list: list, id: id, mediaType: "movie", title: name, year: id % 7 == 3 ? nil : 2020 + id % 7,
                score: id % 11 == 5 ? nil : Double(id % 50) / 7 + 1, poster: missing.contains(id) ? nil : try poster(id),
                missing: missing.contains(id) ? Manifest.Missing(reason: .noPoster, detail: "the API names none") : nil)
        }
        let name = start.iso8601.filter { $0 != "-" && $0 != ":" } + "-" + list.replacing("/", with: "-")
        return Manifest(
            run: name, lists: [list], language: "en-US", week: week, startedAt: start, finishedAt: start.addingTimeInterval(40),
            complete: true, sizes: widths.map { "w\($0)" }, titles: titles)
    }

    func options() -> SiteOptions { SiteOptions(directory: site) }

    func publish(
        _ manifest: Manifest, earlier: [Manifest] = [], options: SiteOptions? = nil, sheet: SheetMaker? = nil, log: Log = .silent
    ) async throws(SiteError) -> SiteReport {
        try await StaticSite.publish(
            manifest, earlier: earlier, cacheRoot: cache, options: options ?? self.options(), sheet: sheet, log: log)
    }

    /// The text of a published file.
    func text(_ path: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: site + "/" + path) else { throw MissingFile(path: path) }
        return String(decoding: data, as: UTF8.self)
    }

    /// Every file below `folder`, by path.
    static func contents(of folder: String) -> [String: Data] {
        var contents: [String: Data] = [:]
        for path in (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? [] {
            if let data = FileManager.default.contents(atPath: folder + "/" + path) { contents[path] = data }
        }
        return contents
    }

    struct MissingFile: Error {
        let path: String
    }

    // MARK: - Private

    private func started(_ week: String) throws -> Date {
        // Mondays of 2026: week 1 began on 29 December 2025.
        let number = Int(week.suffix(2)) ?? 1
        guard let first = Date(iso8601: "2025-12-29T06:21:44Z") else { throw MissingFile(path: week) }
        return first.addingTimeInterval(Double(number - 1) * 7 * 86_400)
    }

    private func poster(_ id: Int) throws -> Manifest.Poster {
        var sizes: [String: Manifest.Size] = [:]
        for width in widths {
            let height = width * 3 / 2
            let bytes = TinyPNG.bytes(width: width, height: height, seed: id)
            let digest = Digest(of: bytes)
            let path = "objects/\(digest.hex.prefix(2))/\(digest.hex).png"
            if !FileManager.default.fileExists(atPath: cache + "/" + path) {
                try FileManager.default.createDirectory(
                    atPath: cache + "/objects/\(digest.hex.prefix(2))", withIntermediateDirectories: true)
                try Data(bytes).write(to: URL(filePath: cache + "/" + path))
            }
            let rendition = Manifest.Rendition(
                recipe: "cover,\(width)x\(height),radius=10%,png", path: path, digest: digest, bytes: bytes.count, width: width,
                height: height, mediaType: "image/png")
            sizes["w\(width)"] = Manifest.Size(original: nil, renditions: [rendition])
        }
        let digits = String(0x10_0000 + id * 7_919 % 0xE0_0000, radix: 16)
        return Manifest.Poster(path: "/\(id).jpg", colour: "#\(digits)", placeholder: Self.placeholder, sizes: sizes)
    }

    /// One grey pixel.
    private static let placeholder =
        "data:image/gif;base64,R0lGODlhAQABAIAAAHt7ewAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw=="
}

/// Runs `body` with a fixture that is removed afterwards.
func withSiteFixture<Value>(
    widths: [Int] = [18, 34, 50], _ body: (SiteFixture) async throws -> Value
) async throws -> Value {
    try await withTemporaryDirectory { try await body(SiteFixture(root: $0, widths: widths)) }
}
