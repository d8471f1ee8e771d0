package import Amodb
internal import Core
internal import Imaging
package import Transfer

/// What a run has to see to: its titles, and each picture once, however many titles and lists share it.
package struct MirrorPlan: Sendable {
    /// A title at its place in a list.
    package struct Entry: Sendable {
        package let list: ListPath
        package let rank: Int
        package let title: Title
    }

    /// One picture to have: a URL, and the sizes whose renditions are made from it.
    package struct Picture: Sendable {
        package let url: WebAddress
        package let posterPath: String
        /// The size that is fetched.
        package let size: PosterSize
        /// The sizes that renditions are made for: ``size`` itself, or all of them when they are derived from one.
        package let targets: [PosterSize]
        /// The first title that needs it, for messages.
        package let title: String

        var shortTitle: String { Title.short(title) }
    }

    /// Lists in order, each list's titles by rank.
    package let entries: [Entry]
    /// In the order of the titles that need them.
    package let pictures: [Picture]
    /// Poster paths that no URL may be built from, and why.
    package let refusedPaths: [String: String]
    private let urls: [Slot: String]

    /// Reads the lists of `request` and decides what there is to see to. Asks the API, and nothing else.
    ///
    /// - Throws: `AmodbError`, what the answer store throws, or `CancellationError`.
    package init(_ request: MirrorRequest, asking amodb: AmodbClient) async throws {
        var titles: [(list: ListPath, titles: [Title])] = []
        for list in request.lists {
            let found = try await amodb.titles(in: list, extent: request.extent, language: request.language, refresh: request.refresh)
            titles.append((list, found))
        }
        self.init(titles: titles, request: request)
    }

    /// - Parameter titles: each list's titles in rank order.
    package init(titles: [(list: ListPath, titles: [Title])], request: MirrorRequest) {
        entries = titles.flatMap { list, titles in
            titles.enumerated().map { Entry(list: list, rank: $0.offset + 1, title: $0.element) }
        }
        let fetchedSizes = request.deriveFrom.map { [$0] } ?? request.sizes
        var pictures: [Picture] = []
        var urls: [Slot: String] = [:]
        var refused: [String: String] = [:]
        for entry in entries {
            guard let path = entry.title.posterPath, refused[path] == nil else { continue }
            for size in fetchedSizes where urls[Slot(path: path, size: size)] == nil {
                do throws(TransferError) {
                    let url = try Self.url(of: path, size: size, at: request.images)
                    urls[Slot(path: path, size: size)] = url.text
                    let targets = request.deriveFrom == nil ? [size] : request.sizes
                    pictures.append(Picture(url: url, posterPath: path, size: size, targets: targets, title: entry.title.title))
                } catch {
                    refused[path] = error.detail
                    break
                }
            }
        }
        self.pictures = pictures
        self.urls = urls
        refusedPaths = refused
    }

    /// The URL of the poster at `path` in the size that was fetched; nil when there is none.
    package func url(of path: String, size: PosterSize) -> String? {
        urls[Slot(path: path, size: size)]
    }

    private struct Slot: Hashable {
        let path: String
        let size: PosterSize
    }

    /// The address of the poster at `path`, by which the cache knows it.
    static func url(of path: String, size: PosterSize, at images: WebAddress) throws(TransferError) -> WebAddress {
        guard path.hasPrefix("/"), !path.hasSuffix("/") else {
            let fault = path.hasPrefix("/") ? "ends with a slash and so names no picture" : "does not begin with a slash"
            throw TransferError(.badPath, address: nil, detail: "the poster path \"\(path.prefix(60).printable)\" \(fault)")
        }
        return try images.appending(path: "/\(size.token)\(path)")
    }
}

extension Title {
    /// The title, no longer than a log line can bear.
    var shortTitle: String { Self.short(title) }

    fileprivate static func short(_ title: String) -> String {
        title.count > 60 ? title.prefix(59) + "…" : title
    }
}
