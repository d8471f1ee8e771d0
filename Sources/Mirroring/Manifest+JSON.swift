package import Core
internal import FoundationEssentials

// How a manifest is written: keys sorted, a line a member, but each picture on one line. What is absent stands as null wherever a reader could
// not tell "none" from "not known to this version" otherwise.

extension Manifest: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("complete", complete)
            if let details { json.member("details", details) }
            json.member("finishedAt", finishedAt)
            json.member("language", language)
            json.member("lists", lists)
            json.member("run", run)
            json.member("sizes", sizes)
            json.member("startedAt", startedAt)
            json.member("titles") { $0.array { json in for title in titles { json.element(title.write) } } }
            json.member("version", version)
            json.member("week", week)
        }
    }

    /// What stands before and after the titles in the text of a manifest that has some, for titles that are written as they come.
    static func frame(of manifest: Manifest) -> (beginning: [UInt8], end: [UInt8]) {
        var empty = manifest
        empty.titles = []
        let text = JSONText.encode(empty)
        // A string cannot have this in it, for its quotation marks would be escaped.
        let mark = Array("\"titles\": [".utf8)
        guard let start = text.indices.first(where: { text[$0...].starts(with: mark) }) else { preconditionFailure("no titles") }
        let beginning = text[..<(start + mark.count)]
        return (Array(beginning), Array("\n  ".utf8 + text[beginning.endIndex...]))
    }

    /// The text of one of the titles between the frame's two parts.
    static func text(of title: Title, isFirst: Bool) -> [UInt8] {
        var json = JSONWriter(depth: 2, after: isFirst ? "\n    " : ",\n    ")
        title.write(to: &json)
        return json.bytes
    }
}

extension Manifest.Title: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("details", encoded: details)
            if let detailsMissing { json.member("detailsMissing", encoded: detailsMissing) }
            json.member("id", id)
            json.member("list", list)
            json.member("mediaType", mediaType)
            json.member("missing", encoded: missing)
            json.member("poster") { json in if let poster { poster.write(to: &json) } else { json.null() } }
            json.member("rank", rank)
            json.member("score", score)
            json.member("title", title)
            json.member("year", year)
        }
    }
}

extension Manifest.Poster {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("colour", colour)
            json.member("path", path)
            json.member("placeholder", placeholder)
            json.member("sizes") { json in
                json.object { json in for (token, size) in sizes.sorted(by: { $0.key < $1.key }) { json.member(named: token, size.write) } }
            }
        }
    }
}

extension Manifest.Size {
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            if let derivedFrom { json.member("derivedFrom", derivedFrom) }
            json.member("original") { json in if let original { original.write(to: &json) } else { json.null() } }
            json.member("renditions") { $0.array { json in for rendition in renditions { json.element(rendition.write) } } }
        }
    }
}

extension Manifest.Original {
    fileprivate func write(to json: inout JSONWriter) {
        json.object(.oneLine) { json in
            json.member("bytes", bytes)
            json.member("digest", digest.description)
            if let etag { json.member("etag", etag) }
            json.member("fetchedAt", fetchedAt)
            json.member("freshUntil", freshUntil)
            json.member("height", height)
            if let kept { json.member("kept", encoded: kept) }
            if let lastModified { json.member("lastModified", lastModified) }
            json.member("mediaType", mediaType)
            json.member("path", path)
            json.member("url", url)
            json.member("width", width)
        }
    }
}

extension Manifest.Rendition {
    fileprivate func write(to json: inout JSONWriter) {
        json.object(.oneLine) { json in
            json.member("bytes", bytes)
            json.member("digest", digest.description)
            json.member("height", height)
            json.member("mediaType", mediaType)
            json.member("path", path)
            json.member("recipe", recipe)
            json.member("width", width)
        }
    }
}
