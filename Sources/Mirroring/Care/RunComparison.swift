package import Core

/// What is different in one run from another: titles that came, went or moved, and pictures that are others now.
package struct RunComparison: Sendable, Encodable, Equatable {
    package struct Title: Sendable, Encodable, Equatable {
        package let list: String
        package let id: Int
        package let mediaType: String
        package let title: String
        /// Nil for a title that has come.
        package let rankBefore: Int?
        /// Nil for a title that has gone.
        package let rankNow: Int?
    }

    package struct ChangedPicture: Sendable, Encodable, Equatable {
        package let list: String
        package let id: Int
        package let mediaType: String
        package let title: String
        package let size: String
        /// Nil when there was none.
        package let before: Digest?
        /// Nil when there is none.
        package let now: Digest?
    }

    package let from: String
    package let to: String
    /// By list and rank, as are the others.
    package private(set) var added: [Title] = []
    package private(set) var gone: [Title] = []
    package private(set) var moved: [Title] = []
    package private(set) var changedPictures: [ChangedPicture] = []

    package init(from before: Manifest, to now: Manifest) {
        (from, to) = (before.run, now.run)
        let old = Dictionary(before.titles.map { (Key($0), $0) }) { first, _ in first }
        let new = Dictionary(now.titles.map { (Key($0), $0) }) { first, _ in first }
        let sizes = before.sizes.filter(now.sizes.contains)
        for title in now.titles {
            guard let earlier = old[Key(title)] else {
                added.append(Title(title, before: nil, now: title.rank))
                continue
            }
            if earlier.rank != title.rank { moved.append(Title(title, before: earlier.rank, now: title.rank)) }
            for size in sizes {
                let digests = (earlier.poster?.sizes[size]?.original?.digest, title.poster?.sizes[size]?.original?.digest)
                guard digests.0 != digests.1 else { continue }
                changedPictures.append(
                    ChangedPicture(
                        list: title.list, id: title.id, mediaType: title.mediaType, title: title.title, size: size, before: digests.0,
                        now: digests.1))
            }
        }
        gone = before.titles.filter { new[Key($0)] == nil }.map { Title($0, before: $0.rank, now: nil) }
    }

    /// What makes a title the same one in two runs.
    private struct Key: Hashable {
        let list: String
        let mediaType: String
        let id: Int

        init(_ title: Manifest.Title) {
            (list, mediaType, id) = (title.list, title.mediaType, title.id)
        }
    }
}

extension RunComparison.Title {
    fileprivate init(_ title: Manifest.Title, before: Int?, now: Int?) {
        self.init(
            list: title.list, id: title.id, mediaType: title.mediaType, title: title.title, rankBefore: before, rankNow: now)
    }
}
