extension ServerResponse {
    /// What the request's conditions and range make of this whole answer: 304, 206, 416, or itself.
    ///
    /// For an answer with status 200 to GET or HEAD that has its `ETag`, `Last-Modified` or both among its headers; all else is given back
    /// as it is. Dates are compared as text, as they came from here: a client that makes up its own gets the whole.
    package func answering(_ request: ServerRequest) -> ServerResponse {
        guard status == 200, request.method == "GET" || request.method == "HEAD" else { return self }
        if isUnchanged(for: request) { return notModified }
        guard request.method == "GET", let range = request.header("Range"), isRangeWanted(by: request) else { return self }
        switch ByteRange.parse(range, count: body.count) {
        case .whole: return self
        case .part(let part):
            var response = self
            response.status = 206
            response.headers.append(("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(body.count)"))
            response.body = body.part(part)
            return response
        case .unsatisfiable:
            let readers = headers.filter { $0.name.equalsIgnoringCase("Vary") || $0.name.lowercased().hasPrefix("access-control-") }
            return ServerResponse(status: 416, headers: [("Content-Range", "bytes */\(body.count)")] + readers)
        }
    }

    // MARK: - Private

    /// If-None-Match counts before If-Modified-Since, which is not looked at beside it.
    private func isUnchanged(for request: ServerRequest) -> Bool {
        if let tags = request.header("If-None-Match") {
            guard let tag = header("ETag") else { return EntityTag.isAny(tags) }
            return EntityTag.list(tags, names: tag)
        }
        guard let date = header("Last-Modified"), let since = request.header("If-Modified-Since") else { return false }
        return date == since
    }

    private func isRangeWanted(by request: ServerRequest) -> Bool {
        guard let condition = request.header("If-Range") else { return true }
        // A weak tag does not promise the same bytes.
        if let tag = header("ETag"), !tag.hasPrefix("W/"), condition == tag { return true }
        return condition == header("Last-Modified")
    }

    /// RFC 9110, 15.4.5: what a cache needs to go on with what it has, and nothing of the body.
    private var notModified: ServerResponse {
        ServerResponse(
            status: 304,
            headers: headers.filter { header in
                !["Content-Type", "Content-Encoding", "Accept-Ranges"].contains { $0.equalsIgnoringCase(header.name) }
            })
    }
}

extension PreparedResponse {
    /// What the request's conditions and range make of this whole answer; itself, still prepared, where they make nothing of it.
    package func answering(_ request: ServerRequest) -> ServerAnswer {
        // Most requests have neither, and are to cost nothing.
        guard request.header("If-None-Match") != nil || request.header("Range") != nil || request.header("If-Modified-Since") != nil else {
            return .prepared(self)
        }
        let answer = response.answering(request)
        return answer.status == response.status ? .prepared(self) : .now(answer)
    }
}

extension ServerResponse.Body {
    fileprivate func part(_ range: Range<Int>) -> Self {
        switch self {
        case .bytes(let bytes): .bytes(SharedBytes(Array(bytes.bytes[range])))
        case .file(let file, let offset, _): .file(file, offset: offset + range.lowerBound, count: range.count)
        }
    }
}

/// Validators of HTTP (RFC 9110, 8.8.3).
package enum EntityTag {
    /// Whether an If-None-Match names the tag; weakly compared, as is right for that header.
    package static func list(_ list: String, names tag: String) -> Bool {
        if isAny(list) { return true }
        let tag = opaque(Substring(tag))
        // A tag may contain a comma, but none of ours does; one that is torn apart by it equals nothing.
        return list.split(separator: ",").contains { opaque($0.drop { $0 == " " || $0 == "\t" }) == tag }
    }

    /// Whether an If-None-Match is `*`, with blanks about it or without.
    static func isAny(_ list: String) -> Bool { list.split { $0 == " " || $0 == "\t" } == ["*"] }

    private static func opaque(_ tag: Substring) -> Substring {
        let tag = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
        guard let end = tag.lastIndex(of: "\"") else { return tag }
        return tag[...end]
    }
}

/// A single range of bytes (RFC 9110, 14.2).
enum ByteRange: Equatable {
    /// The header is to be passed over: another unit, several ranges, or not well formed.
    case whole
    case part(Range<Int>)
    case unsatisfiable

    static func parse(_ text: String, count: Int) -> ByteRange {
        guard text.lowercased().hasPrefix("bytes="), !text.contains(",") else { return .whole }
        let parts = text.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.drop { $0 == " " } }
        guard parts.count == 2 else { return .whole }
        let first = number(parts[0])
        let last = number(parts[1])
        if parts[0].isEmpty {
            guard let suffix = last else { return .whole }
            return suffix == 0 || count == 0 ? .unsatisfiable : .part(max(0, count - suffix)..<count)
        }
        guard let first, parts[1].isEmpty || last != nil else { return .whole }
        if let last, last < first { return .whole }
        guard first < count else { return .unsatisfiable }
        return .part(first..<min(count, (last ?? count - 1) + 1))
    }

    private static func number(_ digits: Substring) -> Int? {
        guard (1...18).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(digits)
    }
}
