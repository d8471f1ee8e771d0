package import Amodb
internal import Core
internal import Imaging
package import Transfer

/// What a run has to see to: its titles, and each picture once, however many titles and lists share it.
///
/// Pictures are made from posters when they are asked for, so that a plan of a hundred thousand of them is a list of titles.
package struct MirrorPlan: Sendable {
    /// A title at its place in a list.
    package struct Entry: Sendable {
        package let list: ListPath
        package let rank: Int
        package let title: Title
        /// Its place among ``posters``; nil when there is no poster, or none that a URL may be built from.
        let poster: Int?
    }

    /// A poster path that URLs may be built from.
    struct Poster: Sendable {
        let path: URLPath
        /// The first title that needs it, for messages.
        let title: String
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
        /// Where its poster and its size stand in the plan.
        let place: Place

        var shortTitle: String { Title.short(title) }
    }

    struct Place: Sendable, Hashable {
        let poster: Int
        let size: Int
    }

    /// Lists in order, each list's titles by rank.
    package let entries: [Entry]
    /// In the order of the titles that need them.
    let posters: [Poster]
    /// Poster paths that no URL may be built from, and why.
    package let refusedPaths: [String: String]
    /// What is fetched of each poster, and the sizes that it is for.
    let fetchedSizes: [(size: PosterSize, targets: [PosterSize])]
    /// Where the posters of each of these sizes are.
    private let bases: [WebAddress]

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
        fetchedSizes = request.deriveFrom.map { [(size: $0, targets: request.sizes)] } ?? request.sizes.map { (size: $0, targets: [$0]) }
        bases = fetchedSizes.map { request.images.appending(URLPath($0.size)) }
        var posters: [Poster] = []
        var places: [ExactPath: Int] = [:]
        var refused: [String: String] = [:]
        var entries: [Entry] = []
        for (list, titles) in titles {
            for (index, title) in titles.enumerated() {
                var place: Int?
                if let path = title.posterPath, refused[path] == nil {
                    place = places[ExactPath(path: path)]
                    if place == nil {
                        do throws(URLPath.Refusal) {
                            let checked = try Self.checked(path)
                            place = posters.count
                            places[ExactPath(path: path)] = posters.count
                            posters.append(Poster(path: checked, title: title.title))
                        } catch {
                            refused[path] = error.description
                        }
                    }
                }
                entries.append(Entry(list: list, rank: index + 1, title: title, poster: place))
            }
        }
        self.entries = entries
        self.posters = posters
        refusedPaths = refused
    }

    package var pictureCount: Int { posters.count * fetchedSizes.count }

    /// All of them, in the order of the titles that need them.
    package var pictures: [Picture] { pictures(of: posters.indices) }

    /// The posters in parts of a few hundred, to be looked up and held together.
    var stretches: [Range<Int>] {
        stride(from: 0, to: posters.count, by: 256).map { $0..<min($0 + 256, posters.count) }
    }

    /// The pictures of these posters.
    func pictures(of range: Range<Int>) -> [Picture] {
        range.flatMap { index in
            let poster = posters[index]
            return fetchedSizes.enumerated().map { place, fetched in
                Picture(
                    url: bases[place].appending(poster.path), posterPath: poster.path.text, size: fetched.size, targets: fetched.targets,
                    title: poster.title, place: Place(poster: index, size: place))
            }
        }
    }

    /// Tells paths apart by their bytes: to Swift two texts are equal that a host has two pictures for.
    private struct ExactPath: Hashable {
        let path: String

        static func == (left: Self, right: Self) -> Bool { left.path.utf8.elementsEqual(right.path.utf8) }

        func hash(into hasher: inout Hasher) {
            var path = path
            path.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    private static func checked(_ path: String) throws(URLPath.Refusal) -> URLPath {
        guard path.hasPrefix("/"), !path.hasSuffix("/") else {
            let fault = path.hasPrefix("/") ? "ends with a slash and so names no picture" : "does not begin with a slash"
            throw URLPath.Refusal("the poster path \"\(path.prefix(60).printable)\" \(fault)")
        }
        return try URLPath(path)
    }
}

extension URLPath {
    /// A size's folder at the image host.
    fileprivate init(_ size: PosterSize) {
        do throws(Refusal) {
            try self.init("/" + size.token)
        } catch {
            preconditionFailure("a token is a letter and a number, or a word: \(error)")
        }
    }
}

extension Title {
    /// The title, no longer than a log line can bear.
    var shortTitle: String { Self.short(title) }

    fileprivate static func short(_ title: String) -> String {
        title.count > 60 ? title.prefix(59) + "…" : title
    }
}
