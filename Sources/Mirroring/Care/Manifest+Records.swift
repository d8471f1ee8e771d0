internal import Core
package import Storage

// What a run's manifest says of the cache: enough to rebuild the index from, and to know what must stay.
extension Manifest {
    /// Every picture that the run names, originals and renditions.
    package var pictures: Set<StoredPicture> {
        var pictures: Set<StoredPicture> = []
        for size in titles.lazy.compactMap(\.poster).flatMap(\.sizes.values) {
            if let original = size.original { pictures.insert(original.picture) }
            for rendition in size.renditions { pictures.insert(rendition.picture) }
        }
        return pictures
    }

    /// What the index would say of the run's URLs, in the order of their titles.
    package var sourceRecords: [SourceRecord] {
        titles.compactMap(\.poster).flatMap { poster in
            poster.sizes.sorted { $0.key < $1.key }.compactMap { token, size in
                guard let original = size.original else { return nil }
                let derived = poster.sizes.values.filter { $0.derivedFrom == token }.flatMap(\.renditions)
                let renditions = (size.renditions + derived).map { ($0.recipe, $0.picture) }
                return SourceRecord(
                    url: original.url, picture: original.picture, etag: original.etag, lastModified: original.lastModified,
                    fetchedAt: original.fetchedAt, freshUntil: original.freshUntil, colour: poster.colour, placeholder: poster.placeholder,
                    renditions: Dictionary(renditions) { first, _ in first })
            }
        }
    }
}

extension Manifest.Original {
    package var picture: StoredPicture {
        StoredPicture(digest: digest, path: path, byteCount: bytes, widthPixels: width, heightPixels: height, mediaType: mediaType)
    }
}

extension Manifest.Rendition {
    package var picture: StoredPicture {
        StoredPicture(digest: digest, path: path, byteCount: bytes, widthPixels: width, heightPixels: height, mediaType: mediaType)
    }
}
